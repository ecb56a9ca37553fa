// Command pgo profiles the search on the positions of bench and writes the
// profile for profile-guided optimization. See scripts/pgo/run.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"runtime/pprof"

	"skein/bench"
	"skein/nets"
	"skein/search"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pgo: ")
	out := flag.String("o", "cmd/engine/bench.pgo", "file to write")
	rounds := flag.Int("rounds", 30, "runs of bench")
	flag.Parse()
	profile, err := measure(*rounds)
	if err == nil {
		profile, err = strip(profile)
	}
	if err == nil {
		err = os.WriteFile(*out, profile, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*out, len(profile), "bytes")
}

// measure returns the profile of a number of runs of bench.
func measure(rounds int) ([]byte, error) {
	net, err := nets.Load("")
	if err != nil {
		return nil, err
	}
	e, err := search.New(net, search.Options{Threads: bench.DefaultThreads, Hash: bench.DefaultHash})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return nil, err
	}
	for range rounds {
		if _, err = bench.Run(e, bench.DefaultDepth, io.Discard); err != nil {
			break
		}
	}
	pprof.StopCPUProfile()
	return profile.Bytes(), err
}

// Fields of a profile and how protocol buffers write them.
//
// Source: https://github.com/google/pprof/blob/main/proto/profile.proto.
const (
	fieldString   = 6
	fieldTime     = 9
	fieldDuration = 10

	wireVarint = 0
	wireBytes  = 2
)

var errProfile = errors.New("not a profile")

// strip takes out of a profile when it was made, and the folder of the program
// that it was made of.
func strip(profile []byte) ([]byte, error) {
	zr, err := gzip.NewReader(bytes.NewReader(profile))
	if err != nil {
		return nil, err
	}
	in, err := io.ReadAll(zr)
	if err != nil {
		return nil, err
	}
	var out []byte
	for len(in) > 0 {
		tag, n := binary.Uvarint(in)
		if n <= 0 {
			return nil, errProfile
		}
		value, m := binary.Uvarint(in[n:])
		end := n + m
		switch wire := tag & 7; {
		case m <= 0 || wire != wireVarint && wire != wireBytes:
			return nil, errProfile
		case wire == wireBytes && value > uint64(len(in)-end):
			return nil, errProfile
		case wire == wireBytes:
			end += int(value)
		}
		field := in[:end]
		in = in[end:]
		switch tag >> 3 {
		case fieldTime, fieldDuration:
		case fieldString:
			s := field[n+m:]
			if len(s) > 0 && s[0] == '/' {
				s = []byte(path.Base(string(s)))
			}
			out = binary.AppendUvarint(binary.AppendUvarint(out, tag), uint64(len(s)))
			out = append(out, s...)
		default:
			out = append(out, field...)
		}
	}
	var b bytes.Buffer
	zw, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = zw.Write(out)
	err = errors.Join(err, zw.Close())
	return b.Bytes(), err
}
