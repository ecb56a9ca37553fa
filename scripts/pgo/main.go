// Command pgo profiles the search on the positions of bench and writes the
// profile for profile-guided optimization. See scripts/pgo/run.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"runtime/pprof"
	"strings"

	"skein/bench"
	"skein/nets"
	"skein/scripts/pgo/profile"
	"skein/search"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pgo: ")
	out := flag.String("o", "cmd/engine/bench.pgo", "file to write")
	rounds := flag.Int("rounds", 30, "runs of bench")
	flag.Parse()
	written, err := measure(*rounds)
	if err == nil {
		written, err = profile.Edit(written, baseName)
	}
	if err == nil {
		err = os.WriteFile(*out, written, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*out, len(written), "bytes")
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
	var written bytes.Buffer
	if err := pprof.StartCPUProfile(&written); err != nil {
		return nil, err
	}
	for range rounds {
		if _, err = bench.Run(e, bench.DefaultDepth, io.Discard); err != nil {
			break
		}
	}
	pprof.StopCPUProfile()
	return written.Bytes(), err
}

// baseName takes the folder of the program that a profile was made of out of its
// path.
func baseName(s string) string {
	if strings.HasPrefix(s, "/") {
		return path.Base(s)
	}
	return s
}
