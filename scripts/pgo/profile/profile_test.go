package profile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"strings"
	"testing"
)

func unzip(t *testing.T, b []byte) []byte {
	t.Helper()
	zr, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	b, err = io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func zip(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	if _, err := zw.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestEdit edits a profile written by hand, and broken ones.
func TestEdit(t *testing.T) {
	text := func(s string) []byte { return append([]byte{fieldString<<3 | wireBytes, byte(len(s))}, s...) }
	number := func(field, value uint64) []byte {
		return binary.AppendUvarint(binary.AppendUvarint(nil, field<<3|wireVarint), value)
	}
	sample := []byte{2<<3 | wireBytes, 3, 1, 2, '/'}
	whole := bytes.Join([][]byte{
		text(""), sample, text("search.f"), number(fieldTime, 1<<60), text("folder/pgo"),
		number(fieldDuration, 5), number(12, 10_000_000),
	}, nil)
	want := bytes.Join([][]byte{text(""), sample, text("search.f"), text("pgo"), number(12, 10_000_000)}, nil)
	edit := func(s string) string { return strings.TrimPrefix(s, "folder/") }
	got, err := Edit(zip(t, whole), edit)
	if err != nil || !bytes.Equal(unzip(t, got), want) {
		t.Errorf("%v, got %q, want %q", err, unzip(t, got), want)
	}
	for _, bad := range [][]byte{whole[:len(whole)-1], {fieldString<<3 | wireBytes, 200, 1, 'a'}, {6<<3 | 5, 1},
		{0xff}} {
		if _, err := Edit(zip(t, bad), edit); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if _, err := Edit(whole, edit); err == nil {
		t.Error("what is not compressed was taken")
	}
}
