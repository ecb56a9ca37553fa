package nnue

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// These are constants of the format, which the package comment describes.
const (
	magic               = "SKEINNET"
	fileVersion         = 1
	headVersion         = 2
	threatsVersion      = 3
	firstDangersVersion = 4 // with the first firstDangers dangers of each side only
	dangersVersion      = 5

	// maxFileSize bounds the bytes that Read reads after a valid magic.
	maxFileSize = 640 << 20
)

// header is the part of a file with fixed size after magic and version.
type header struct {
	Width         uint16
	KingBuckets   uint8
	OutputBuckets uint8
	KingMap       [32]uint8
	QA, QB, Scale uint16
}

// LoadFile reads a network file. The error names the file and what is wrong
// with it, as that of Read.
func LoadFile(path string) (*Network, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	defer f.Close()
	n, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// Read reads a network file until the end of r. The error names
// what is wrong: not a network file, another version, an unsupported
// architecture, truncated, trailing bytes, or damaged.
func Read(r io.Reader) (*Network, error) {
	data, err := readFile(r)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	p, err := parseFile(data)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	return New(p)
}

// readFile reads r to its end, unless it does not begin as a network file or is larger
// than any.
func readFile(r io.Reader) ([]byte, error) {
	file := bufio.NewReader(r)
	if start, err := file.Peek(len(magic)); err != nil && err != io.EOF {
		return nil, err
	} else if string(start) != magic {
		return nil, errors.New("not a network file (no magic " + magic + ")")
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFileSize+1))
	if err == nil && len(data) > maxFileSize {
		err = fmt.Errorf("more than %d bytes", maxFileSize)
	}
	return data, err
}

// parseFile parses a file that begins with the magic.
func parseFile(data []byte) (*Parameters, error) {
	d := decoder{rest: bytes.NewReader(data[len(magic):])}
	a, err := d.architecture()
	if err != nil {
		return nil, err
	}
	var nameLength uint16
	d.read(&nameLength)
	name := d.text(int64(nameLength))
	var descriptionLength uint32
	d.read(&descriptionLength)
	description := d.text(int64(descriptionLength))
	if d.err != nil {
		return nil, truncated(len(data))
	}

	n := a.lengths()
	if d.version == firstDangersVersion {
		n.featureWeights -= (DangerRows - 2*firstDangers) * a.Width
	}
	switch extra := d.rest.Len() - n.bytes() - sha256.Size; {
	case extra < 0:
		return nil, fmt.Errorf("truncated: %d bytes short", -extra)
	case extra > 0:
		return nil, fmt.Errorf("%d bytes after the end", extra)
	}
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, errors.New("damaged: the checksum does not fit")
	}
	p := NewParameters(a) // after the checks, so that a false header allocates nothing
	p.Name, p.Description = name, description
	for _, part := range p.parts(d.version) {
		d.read(part)
	}
	return p, d.err
}

func truncated(size int) error {
	return fmt.Errorf("truncated: the header does not fit %d bytes", size)
}

// decoder reads the fields of a file. After an error it reads no more.
type decoder struct {
	rest    *bytes.Reader
	version uint32 // of the format
	err     error
}

// read reads a value of fixed size.
func (d *decoder) read(v any) {
	if d.err == nil {
		d.err = binary.Read(d.rest, binary.LittleEndian, v)
	}
}

// text reads so many bytes.
func (d *decoder) text(length int64) string {
	if d.err == nil && length > int64(d.rest.Len()) {
		d.err = io.ErrUnexpectedEOF
	}
	if d.err != nil {
		return ""
	}
	text := make([]byte, length)
	d.read(text)
	return string(text)
}

// architecture reads the header.
func (d *decoder) architecture() (a Architecture, err error) {
	size := len(magic) + d.rest.Len()
	if d.read(&d.version); d.err == nil && (d.version < fileVersion || d.version > dangersVersion) {
		return a, fmt.Errorf("version %d, this program reads versions %d to %d", d.version, fileVersion, dangersVersion)
	}
	var h header
	d.read(&h)
	var layers [2]uint8
	if d.version >= headVersion {
		d.read(&layers)
	}
	var threats uint8
	if d.version >= threatsVersion {
		d.read(&threats)
	}
	a = Architecture{
		int(h.Width), int(h.KingBuckets), h.KingMap, threats == 1, d.version >= firstDangersVersion,
		int(h.OutputBuckets), int(h.Scale), [2]int{int(layers[0]), int(layers[1])},
	}
	switch {
	case d.err != nil:
		return a, truncated(size)
	case h.QA != QA || h.QB != QB:
		return a, fmt.Errorf("quantized by %d and %d instead of %d and %d", h.QA, h.QB, QA, QB)
	case d.version == headVersion && !a.HasHead():
		return a, fmt.Errorf("version %d without layers; networks without layers have version %d",
			headVersion, fileVersion)
	case d.version >= threatsVersion && threats != 1:
		return a, fmt.Errorf("version %d with %d for threats instead of 1", d.version, threats)
	}
	if err := a.Validate(); err != nil {
		return a, fmt.Errorf("architecture: %w", err)
	}
	return a, nil
}

// parts returns the weights in the order of a file of the given version.
func (p *Parameters) parts(version uint32) []any {
	features := []any{p.FeatureWeights}
	if version == firstDangersVersion {
		tables, own, opponent := p.splitFeatures()
		few := firstDangers * p.Width
		features = []any{tables, own[:few], opponent[:few]}
	}
	return append(features, p.FeatureBias,
		p.FirstWeights, p.FirstBias, p.SecondWeights, p.SecondBias, // empty without a head
		p.OutputWeights, p.OutputBias)
}

// splitFeatures returns the feature weights of tables, of own dangers and of those of the opponent.
func (p *Parameters) splitFeatures() (tables, own, opponent []int16) {
	tables, own = p.FeatureWeights[:p.Tables()*Features*p.Width], p.FeatureWeights[p.Tables()*Features*p.Width:]
	return tables, own[:len(own)/2], own[len(own)/2:]
}

// onlyFirstDangers reports whether no other rows of dangers have weights than those in a
// file of firstDangersVersion.
func (p *Parameters) onlyFirstDangers() bool {
	_, own, opponent := p.splitFeatures()
	few, nonzero := firstDangers*p.Width, func(w int16) bool { return w != 0 }
	return !slices.ContainsFunc(own[few:], nonzero) && !slices.ContainsFunc(opponent[few:], nonzero)
}

// WriteTo writes the network as a network file.
func (n *Network) WriteTo(w io.Writer) (int64, error) {
	p := &n.p
	var b bytes.Buffer
	b.WriteString(magic)
	version, further := uint32(fileVersion), []uint8{}
	switch layers := []uint8{uint8(p.Layers[0]), uint8(p.Layers[1])}; {
	case p.Dangers && p.onlyFirstDangers(): // so that the hash of an older file remains
		version, further = firstDangersVersion, append(layers, 1)
	case p.Dangers:
		version, further = dangersVersion, append(layers, 1)
	case p.Threats:
		version, further = threatsVersion, append(layers, 1)
	case p.HasHead():
		version, further = headVersion, layers
	}
	for _, v := range append([]any{
		version,
		header{uint16(p.Width), uint8(p.KingBuckets), uint8(p.OutputBuckets), p.KingMap, QA, QB, uint16(p.Scale)},
		further,
		uint16(len(p.Name)), []byte(p.Name),
		uint32(len(p.Description)), []byte(p.Description),
	}, p.parts(version)...) {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			return 0, fmt.Errorf("network: %w", err)
		}
	}
	sum := sha256.Sum256(b.Bytes())
	b.Write(sum[:])
	return b.WriteTo(w)
}

// Hash returns the first digits, in hexadecimal, of the checksum of the file that WriteTo
// writes. They identify the network.
func (n *Network) Hash() string { return n.hash() }

// checksum returns what Hash does.
func (n *Network) checksum() string {
	var b bytes.Buffer
	n.WriteTo(&b) // cannot fail for a valid network
	return fmt.Sprintf("%x", b.Bytes()[b.Len()-sha256.Size:][:4])
}
