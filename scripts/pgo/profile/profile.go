// Package profile edits profiles in the format of pprof.
package profile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
)

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

// Edit returns a compressed profile with every string replaced by what edit
// returns, and without the time at which it was made and how long that took.
func Edit(profile []byte, edit func(string) string) ([]byte, error) {
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
			s := edit(string(field[n+m:]))
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
