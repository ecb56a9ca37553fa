package nnue_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"skein/nnue"
	"skein/position"
)

// The offsets of the fields of a file.
const (
	versionAt       = 8
	widthAt         = 12
	kingBucketsAt   = 14
	outputBucketsAt = 15
	kingMapAt       = 16
	qaAt            = 48
	qbAt            = 50
	scaleAt         = 52
	nameAt          = 54 // in version 2 the layers, followed by the name
	layersAt        = 54
	headNameAt      = 56
)

// encode returns the file of a network.
func encode(t testing.TB, net *nnue.Network) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := net.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("WriteTo: %d of %d bytes, %v", n, b.Len(), err)
	}
	return b.Bytes()
}

// sample returns a small network file.
func sample(t testing.TB) []byte {
	t.Helper()
	return encode(t, newNetwork(t, randomParameters(shapes[0], false)))
}

// headSample returns a small network file with a head.
func headSample(t testing.TB) []byte {
	t.Helper()
	return encode(t, newNetwork(t, randomParameters(shapes[6], false)))
}

// sealed returns body, a file without checksum, followed by its checksum.
func sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return slices.Concat(body, sum[:])
}

func put16(at, value int) func([]byte) []byte {
	return func(body []byte) []byte {
		binary.LittleEndian.PutUint16(body[at:], uint16(value))
		return body
	}
}

func put8(at, value int) func([]byte) []byte {
	return func(body []byte) []byte {
		body[at] = byte(value)
		return body
	}
}

// TestRoundTrip writes, reads and writes networks, also through readers that
// return few bytes at a time.
func TestRoundTrip(t *testing.T) {
	words := []struct{ name, description string }{
		{"random", "made for a test"},
		{"", ""},
		{"név", strings.Repeat("long ", 20000)},
	}
	for i, shape := range shapes {
		p := randomParameters(shape, true)
		p.Name, p.Description = words[i%3].name, words[i%3].description
		net := newNetwork(t, p)
		file := encode(t, net)
		for name, r := range map[string]io.Reader{
			"whole":    bytes.NewReader(file),
			"by bytes": iotest.OneByteReader(bytes.NewReader(file)),
			"half":     iotest.HalfReader(bytes.NewReader(file)),
			"EOF":      iotest.DataErrReader(bytes.NewReader(file)),
		} {
			got, err := nnue.Read(r)
			if err != nil {
				t.Fatalf("%s, %s: %v", shape, name, err)
			}
			if !bytes.Equal(encode(t, got), file) {
				t.Errorf("%s, %s: the file written again differs", shape, name)
			}
			if got.Name() != p.Name || got.Description() != p.Description || got.Architecture() != shape {
				t.Errorf("%s, %s: read %q, %.20q, %s", shape, name, got.Name(), got.Description(), got.Architecture())
			}
			if want := fmt.Sprintf("%x", file[len(file)-sha256.Size:][:4]); got.Hash() != want {
				t.Errorf("%s, %s: hash %s instead of %s", shape, name, got.Hash(), want)
			}
			pos := position.Start()
			s := nnue.NewStack(got, 0)
			s.Reset(&pos)
			if want, _ := reference(p, &pos); s.Evaluate(&pos) != want {
				t.Errorf("%s, %s: value %d instead of %d", shape, name, s.Evaluate(&pos), want)
			}
		}
	}
}

// checkLayout compares the file of a network with its definition, given without
// the checksum.
func checkLayout(t *testing.T, p *nnue.Parameters, definition string) {
	t.Helper()
	file := encode(t, newNetwork(t, p))
	if want := sealed([]byte(definition)); !bytes.Equal(file, want) {
		t.Errorf("file of %d bytes is not the %d bytes of its definition", len(file), len(want))
	}
}

// TestLayout compares a file byte by byte with the definition of the format.
func TestLayout(t *testing.T) {
	p := nnue.NewParameters(nnue.Architecture{Width: 16, KingBuckets: 2, OutputBuckets: 3, Scale: 400})
	p.KingMap[31] = 1
	p.Name, p.Description = "ab", "cde"
	p.FeatureWeights[0], p.FeatureWeights[len(p.FeatureWeights)-1] = 0x0102, -2
	p.FeatureBias[0] = 0x0304
	p.OutputWeights[0] = 5
	p.OutputBias[0], p.OutputBias[2] = 0x06070809, -1

	head := "SKEINNET" + "\x01\x00\x00\x00" + "\x10\x00" + "\x02" + "\x03" +
		strings.Repeat("\x00", 31) + "\x01" + "\xff\x00" + "\x40\x00" + "\x90\x01" +
		"\x02\x00ab" + "\x03\x00\x00\x00cde"
	weights := "\x02\x01" + strings.Repeat("\x00", 2*768*16*2-4) + "\xfe\xff" +
		"\x04\x03" + strings.Repeat("\x00", 30) +
		"\x05\x00" + strings.Repeat("\x00", 3*2*16*2-2) +
		"\x09\x08\x07\x06" + "\x00\x00\x00\x00" + "\xff\xff\xff\xff"
	checkLayout(t, p, head+weights)
}

// TestThreatsLayout is TestLayout for a network with features of threatened pieces.
func TestThreatsLayout(t *testing.T) {
	p := nnue.NewParameters(nnue.Architecture{
		Width: 16, KingBuckets: 1, Threats: true, OutputBuckets: 1, Scale: 400,
	})
	p.Name, p.Description = "ab", "cde"
	p.FeatureWeights[0], p.FeatureWeights[len(p.FeatureWeights)-1] = 0x0102, -2

	head := "SKEINNET" + "\x03\x00\x00\x00" + "\x10\x00" + "\x01" + "\x01" +
		strings.Repeat("\x00", 32) + "\xff\x00" + "\x40\x00" + "\x90\x01" + "\x00\x00" + "\x01" +
		"\x02\x00ab" + "\x03\x00\x00\x00cde"
	weights := "\x02\x01" + strings.Repeat("\x00", 2*3*768*16-4) + "\xfe\xff" +
		strings.Repeat("\x00", 2*16+2*2*16+4)
	checkLayout(t, p, head+weights)
}

// TestDangersLayout is TestLayout for networks with features of dangers: if only the first of each side have weights,
// no others are in the file.
func TestDangersLayout(t *testing.T) {
	const row = 16
	for _, test := range []struct {
		version string
		danger  int // with a weight; from zeros to the end of the rows
		zeros   int
		rows    int
	}{
		{"\x05", 43, 0, 44},
		{"\x05", 8, 35 * row, 44},
		{"\x05", 30, 13 * row, 44},
		{"\x04", 29, 0, 16},
		{"\x04", 7, 8 * row, 16},
	} {
		p := nnue.NewParameters(nnue.Architecture{
			Width: row, KingBuckets: 1, Threats: true, Dangers: true, OutputBuckets: 1, Scale: 400,
		})
		p.Name, p.Description = "ab", "cde"
		p.FeatureWeights[0], p.FeatureWeights[(3*768+test.danger+1)*row-1] = 0x0102, -2

		head := "SKEINNET" + test.version + "\x00\x00\x00" + "\x10\x00" + "\x01" + "\x01" +
			strings.Repeat("\x00", 32) + "\xff\x00" + "\x40\x00" + "\x90\x01" + "\x00\x00" + "\x01" +
			"\x02\x00ab" + "\x03\x00\x00\x00cde"
		weights := "\x02\x01" + strings.Repeat("\x00", 2*((3*768+test.rows)*row-test.zeros-2)) + "\xfe\xff" +
			strings.Repeat("\x00", 2*test.zeros+2*16+2*2*16+4)
		checkLayout(t, p, head+weights)
	}
}

// TestHeadLayout is TestLayout for a network with a head.
func TestHeadLayout(t *testing.T) {
	p := nnue.NewParameters(nnue.Architecture{Width: 64, KingBuckets: 1, OutputBuckets: 2, Scale: 400, Layers: layers})
	p.Name, p.Description = "ab", "cde"
	p.FeatureWeights[0] = 0x0102
	p.FeatureBias[63] = 0x0304
	p.FirstWeights[0], p.FirstWeights[64] = 5, -6 // product 0 into the neurons 0 and 1 of the first bucket
	p.FirstWeights[2*16*64-1] = 7
	p.FirstBias[0], p.FirstBias[31] = 0x06070809, -1
	p.SecondWeights[1], p.SecondWeights[2*32*32-1] = 0x0102, -2
	p.SecondBias[0], p.SecondBias[63] = 0x0a0b0c0d, -3
	p.OutputWeights[0], p.OutputWeights[63] = 0x0e0f, -4
	p.OutputBias[0], p.OutputBias[1] = 1, -5

	zeros := func(n int) string { return strings.Repeat("\x00", n) }
	head := "SKEINNET" + "\x02\x00\x00\x00" + "\x40\x00" + "\x01" + "\x02" + zeros(32) +
		"\xff\x00" + "\x40\x00" + "\x90\x01" + "\x10\x20" + "\x02\x00ab" + "\x03\x00\x00\x00cde"
	weights := "\x02\x01" + zeros(768*64*2-2) + zeros(63*2) + "\x04\x03" +
		"\x05" + zeros(63) + "\xfa" + zeros(2*16*64-66) + "\x07" +
		"\x09\x08\x07\x06" + zeros(30*4) + "\xff\xff\xff\xff" +
		zeros(2) + "\x02\x01" + zeros(2*32*32*2-6) + "\xfe\xff" +
		"\x0d\x0c\x0b\x0a" + zeros(62*4) + "\xfd\xff\xff\xff" +
		"\x0f\x0e" + zeros(62*2) + "\xfc\xff" +
		"\x01\x00\x00\x00" + "\xfb\xff\xff\xff"
	checkLayout(t, p, head+weights)
}

// TestReadErrors reads files with one defect each and a valid checksum, and
// expects errors that name the defect.
func TestReadErrors(t *testing.T) {
	file := sample(t)
	body := file[:len(file)-sha256.Size]
	weightsAt := nameAt + 2 + len("random") + 4 + len("made for a test")
	outputWeightsAt := weightsAt + 2*(768*16+16)
	for _, test := range []struct {
		name, want string
		spoil      func(body []byte) []byte
	}{
		{"text", "not a network", func([]byte) []byte { return []byte("Once upon a time there was a net.") }},
		{"other magic", "not a network", put8(7, 't')},
		{"version 6", "version 6, this program reads versions 1 to 5", put8(versionAt, 6)},
		{"version 3 without threats", "version 3 with 114 for threats instead of 1", put8(versionAt, 3)},
		// The length of the name is read as layers.
		{"version 2 without layers", "layers of 6 and 0 neurons are not 16 and 32", put8(versionAt, 2)},
		{"version 0", "version 0", put8(versionAt, 0)},
		{"version 2^24+1", "version 16777217", put8(versionAt+3, 1)},
		{"width 0", "width 0 ", put16(widthAt, 0)},
		{"width 17", "width 17 ", put16(widthAt, 17)},
		{"width 4112", "width 4112 ", put16(widthAt, 4112)},
		{"width 65535", "width 65535 ", put16(widthAt, 65535)},
		{"width 32", "truncated", put16(widthAt, 32)},
		{"no king bucket", "0 king buckets", put8(kingBucketsAt, 0)},
		{"33 king buckets", "33 king buckets", put8(kingBucketsAt, 33)},
		{"2 king buckets", "truncated", put8(kingBucketsAt, 2)},
		{"no output bucket", "0 output buckets", put8(outputBucketsAt, 0)},
		{"9 output buckets", "9 output buckets", put8(outputBucketsAt, 9)},
		{"2 output buckets", "truncated", put8(outputBucketsAt, 2)},
		{"first of king map", "king map entry 0 names bucket 1 of 1", put8(kingMapAt, 1)},
		{"last of king map", "king map entry 31 names bucket 255 of 1", put8(kingMapAt+31, 255)},
		{"QA", "quantized by 256 and 64 instead of 255 and 64", put16(qaAt, 256)},
		{"QB", "quantized by 255 and 128 instead of 255 and 64", put16(qbAt, 128)},
		{"scale 0", "scale 0 ", put16(scaleAt, 0)},
		{"scale 4001", "scale 4001 ", put16(scaleAt, 4001)},
		{"name longer than the file", "truncated", put16(nameAt, 65535)},
		{"name one too long", "truncated", put8(nameAt, len("random")+1)},
		{"description of 4 GiB", "truncated", func(body []byte) []byte {
			binary.LittleEndian.PutUint32(body[nameAt+8:], math.MaxUint32)
			return body
		}},
		{"description one too short", "1 bytes after the end", put8(nameAt+8, len("made for a test")-1)},
		{"description one too long", "truncated: 1 bytes short", put8(nameAt+8, len("made for a test")+1)},
		{"name in Latin-1", "not UTF-8", put8(nameAt+2, 0xe9)},
		{"first output weight", "output weight 0 is 128, beyond ±127", put16(outputWeightsAt, 128)},
		{"last output weight", "output weight 31 is -128, beyond ±127", put16(outputWeightsAt+2*31, -128)},
		{"one byte more", "1 bytes after the end", func(body []byte) []byte { return append(body, 0) }},
	} {
		testReadError(t, test.name, test.want, test.spoil(slices.Clone(body)))
	}
	if _, err := nnue.Read(bytes.NewReader(sealed(body))); err != nil {
		t.Errorf("without a defect: %v", err)
	}
}

// TestReadHeadErrors is TestReadErrors for a network with a head.
func TestReadHeadErrors(t *testing.T) {
	file := headSample(t)
	body := file[:len(file)-sha256.Size]
	firstAt := headNameAt + 2 + len("random") + 4 + len("made for a test") + 2*(768*64+64)
	firstBiasAt := firstAt + 16*64
	secondAt := firstBiasAt + 4*16
	secondBiasAt := secondAt + 2*32*32
	outputAt := secondBiasAt + 4*32
	for _, test := range []struct {
		name, want string
		spoil      func(body []byte) []byte
	}{
		{"version 1", "truncated", put8(versionAt, 1)}, // the layers are read as the length of the name
		{"version 3", "version 3 with 6 for threats instead of 1", put8(versionAt, 3)},
		{"no layers", "version 2 without layers; networks without layers have version 1", put16(layersAt, 0)},
		{"no first layer", "layers of 0 and 32 neurons", put8(layersAt, 0)},
		{"second layer of 33", "layers of 16 and 33 neurons", put8(layersAt+1, 33)},
		{"width 48", "width 48 with further layers is not a multiple of 64", put16(widthAt, 48)},
		{"width 128", "truncated", put16(widthAt, 128)},
		{"2 output buckets", "truncated", put8(outputBucketsAt, 2)},
		{"name one too long", "truncated", put8(headNameAt, len("random")+1)},
		{"first weight", "first weight 0 is -128, beyond ±127", put8(firstAt, 128)},
		{"last first weight", "first weight 1023 is -128", put8(firstBiasAt-1, 128)},
		{"first bias", "first bias 15 is ", put8(secondAt-1, 64)},
		{"second weight", "second weight 0 is 2048, beyond ±2047", put16(secondAt, 2048)},
		{"second bias", "second bias 0 is ", put8(secondBiasAt+3, 128)},
		{"last second bias", "second bias 31 is ", put8(outputAt-1, 128)},
		{"output weight", "output weight 31 is 16384, beyond ±16383", put16(outputAt+62, 16384)},
		{"one byte more", "1 bytes after the end", func(body []byte) []byte { return append(body, 0) }},
	} {
		testReadError(t, test.name, test.want, test.spoil(slices.Clone(body)))
	}
}

// testReadError adds the checksum to body and expects an error that contains
// want when reading it.
func testReadError(t *testing.T, name, want string, body []byte) {
	t.Helper()
	net, err := nnue.Read(bytes.NewReader(sealed(body)))
	if err == nil {
		t.Errorf("%s: read %s", name, net.Architecture())
	} else if !strings.HasPrefix(err.Error(), "network: ") || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %q does not say %q", name, err, want)
	}
}

// TestReadTruncated truncates a file at every byte of its header and its
// checksum and at some of its weights.
func TestReadTruncated(t *testing.T) {
	testReadTruncated(t, sample(t), 61)
	testReadTruncated(t, headSample(t), 1001)
}

func testReadTruncated(t *testing.T, file []byte, every int) {
	for n := 0; n < len(file); n++ {
		if n > 150 && n < len(file)-50 && n%every != 0 {
			continue
		}
		want := "truncated"
		if n < len("SKEINNET") {
			want = "not a network"
		}
		if _, err := nnue.Read(bytes.NewReader(file[:n])); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("first %d of %d bytes: error %v does not say %q", n, len(file), err, want)
		}
	}
	_, err := nnue.Read(bytes.NewReader(append(file, 0)))
	if err == nil || !strings.Contains(err.Error(), "1 bytes after the end") {
		t.Errorf("trailing byte: error %v", err)
	}
}

// TestReadDamaged flips single bits: all of the header and the checksum, and
// some of the weights.
func TestReadDamaged(t *testing.T) {
	testReadDamaged(t, sample(t), 101)
	testReadDamaged(t, headSample(t), 1001)
}

func testReadDamaged(t *testing.T, file []byte, every int) {
	for i := range file {
		head, checksum := i < 100, i >= len(file)-sha256.Size
		if !head && !checksum && i%every != 0 {
			continue
		}
		for bit := range 8 {
			file[i] ^= 1 << bit
			_, err := nnue.Read(bytes.NewReader(file))
			if err == nil || !head && !strings.Contains(err.Error(), "damaged") {
				t.Errorf("bit %d of byte %d flipped: error %v", bit, i, err)
			}
			file[i] ^= 1 << bit
		}
	}
}

// TestReadFailure expects the error of the reader to be returned.
func TestReadFailure(t *testing.T) {
	broken := errors.New("broken disk")
	for _, start := range []int{0, 4, 8, 1000} {
		r := io.MultiReader(bytes.NewReader(sample(t)[:start]), iotest.ErrReader(broken))
		if _, err := nnue.Read(r); !errors.Is(err, broken) {
			t.Errorf("failure after %d bytes: error %v", start, err)
		}
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// zeros is a reader of endless zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestReadAllocatesLittle reads files whose header states sizes that they do
// not have.
func TestReadAllocatesLittle(t *testing.T) {
	file := sample(t)
	body := file[:len(file)-sha256.Size]
	huge := put8(kingBucketsAt, 32)(put16(widthAt, 4096)(slices.Clone(body)))
	head := headSample(t)
	hugeHead := put8(outputBucketsAt, 8)(put16(widthAt, 4096)(head[:len(head)-sha256.Size]))
	for name, r := range map[string]io.Reader{
		"200 MB of weights":    bytes.NewReader(sealed(huge)),
		"a head that is large": bytes.NewReader(sealed(hugeHead)),
		"no weights at all":    bytes.NewReader(huge[:nameAt+40]),
		"4 GiB of description": bytes.NewReader(sealed(slices.Concat(body[:nameAt], []byte{0, 0, 255, 255, 255, 255}))),
		"no network, no end":   zeros{},
	} {
		if n := allocated(func() {
			if _, err := nnue.Read(r); err == nil {
				t.Errorf("%s: no error", name)
			}
		}); n > 1<<20 {
			t.Errorf("%s: %d bytes allocated before the error", name, n)
		}
	}
}

func TestLoadFile(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.nnue"), filepath.Join(dir, "bad.nnue")
	missing := filepath.Join(dir, "missing.nnue")
	file := sample(t)
	for path, data := range map[string][]byte{good: file, bad: file[:1000]} {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	net, err := nnue.LoadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encode(t, net), file) {
		t.Error("the network differs from that in the file")
	}
	for path, want := range map[string]string{bad: "truncated", missing: "", dir: ""} {
		_, err := nnue.LoadFile(path)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if _, err := nnue.LoadFile(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want os.ErrNotExist", err)
	}
}

// fullDisk is a writer that fails after some bytes.
type fullDisk int

var errFull = errors.New("disk full")

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > int(*d) {
		return int(*d), errFull
	}
	*d -= fullDisk(len(p))
	return len(p), nil
}

func TestWriteFailure(t *testing.T) {
	d := fullDisk(1000)
	if _, err := newNetwork(t, randomParameters(shapes[0], false)).WriteTo(&d); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

// FuzzRead reads arbitrary bytes, as they are and with a valid checksum.
// Networks that are accepted must be written unchanged; files that are rejected
// must not allocate much.
func FuzzRead(f *testing.F) {
	file := sample(f)
	body := file[:len(file)-sha256.Size]
	f.Add([]byte{})
	f.Add([]byte("SKEINNET"))
	f.Add(body[:nameAt+30])
	f.Add(body)
	f.Add(put8(outputBucketsAt, 8)(put16(widthAt, 4096)(slices.Clone(body))))
	head := headSample(f)
	f.Add(head[:headNameAt+30])
	f.Add(head[:len(head)-sha256.Size])
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, sealed(data)} {
			var net *nnue.Network
			var err error
			if n := allocated(func() { net, err = nnue.Read(bytes.NewReader(data)) }); n > uint64(16*len(data)+1<<22) {
				t.Errorf("%d bytes allocated for a file of %d", n, len(data))
			}
			if err == nil && !bytes.Equal(encode(t, net), data) {
				t.Error("the file written again differs")
			}
		}
	})
}
