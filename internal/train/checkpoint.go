package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"skein/internal/atomicfile"
	"skein/internal/difference"
	"skein/internal/input"
)

// A checkpoint is the complete state of a Trainer between two batches,
// little-endian:
//
//	magic     8 bytes "SKEINCKP"
//	version   uint32  1
//	length    uint32  of the state
//	state     JSON of state
//	floats    float32 parameters, first moments, second moments
//	checksum  32 bytes, SHA-256 of everything before
//
// The version also changes if records are read in another order, of which a checkpoint has
// only their number.
const (
	checkpointMagic   = "SKEINCKP"
	checkpointVersion = 1
)

// state is the part of a checkpoint other than the vectors.
type state struct {
	Config   Config
	Sizes    []int64  // of the data files in records
	Sums     []string // of the ends of the data files and of the validation file; older checkpoints have none
	Batch    int64
	Read     int64
	Updates  int64
	Sum      Loss
	Seconds  float64
	History  []Report
	Elements int // number of parameters
}

func (t *Trainer) state() state {
	s := state{
		Config: t.config, Batch: t.batch, Read: t.read, Updates: t.optimizer.updates,
		Sum: t.sum, Seconds: t.seconds, History: t.history, Elements: len(t.model.parameters),
	}
	for _, f := range t.data.files {
		s.Sizes = append(s.Sizes, f.records)
	}
	for _, f := range t.files() {
		s.Sums = append(s.Sums, f.sum)
	}
	return s
}

// files returns the data files and the validation file if there is one.
func (t *Trainer) files() []source {
	if t.validation == nil {
		return t.data.files
	}
	return append(slices.Clone(t.data.files), t.validation.files...)
}

// floats returns the vectors of a checkpoint in the order of the file.
func (t *Trainer) floats() [][]float32 {
	return [][]float32{t.model.parameters, t.optimizer.first, t.optimizer.second}
}

// Save writes a checkpoint to a file, which it replaces only after the new one
// is complete and on disk.
func (t *Trainer) Save(name string) error {
	text, err := json.Marshal(t.state())
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	head := binary.LittleEndian.AppendUint32([]byte(checkpointMagic), checkpointVersion)
	head = append(binary.LittleEndian.AppendUint32(head, uint32(len(text))), text...)
	return atomicfile.Replace(name, func(w io.Writer) error {
		sum := sha256.New()
		body := io.MultiWriter(w, sum)
		if _, err := body.Write(head); err != nil {
			return err
		}
		for _, v := range t.floats() {
			for chunk := range slices.Chunk(v, 1<<16) { // encoded in memory
				if err := binary.Write(body, binary.LittleEndian, chunk); err != nil {
					return err
				}
			}
		}
		_, err := w.Write(sum.Sum(nil))
		return err
	})
}

// Resume restores the state of a checkpoint of the same run: the error names
// the file and what differs. The number of threads may differ, but then so does
// the rounding.
func (t *Trainer) Resume(name string) error {
	if _, err := input.Stat(name); err != nil {
		return err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	s, floats, err := parseCheckpoint(data)
	if err == nil {
		err = t.fits(s, floats)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, v := range t.floats() {
		n, err := binary.Decode(floats, binary.LittleEndian, v)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		floats = floats[n:]
	}
	t.batch, t.read, t.optimizer.updates = s.Batch, s.Read, s.Updates
	t.sum, t.seconds, t.history = s.Sum, s.Seconds, s.History
	t.model.foldAll()
	return nil
}

// parseCheckpoint parses and checks a checkpoint, and returns its state and the
// bytes of its vectors.
func parseCheckpoint(data []byte) (*state, []byte, error) {
	const head = len(checkpointMagic) + 8
	if len(data) < len(checkpointMagic) || string(data[:len(checkpointMagic)]) != checkpointMagic {
		return nil, nil, errors.New("not a checkpoint (no magic " + checkpointMagic + ")")
	}
	if len(data) < head+sha256.Size {
		return nil, nil, fmt.Errorf("checkpoint: truncated to %d bytes", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != checkpointVersion {
		return nil, nil, fmt.Errorf("checkpoint: version %d, this program reads version %d", v, checkpointVersion)
	}
	body := data[:len(data)-sha256.Size]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], data[len(body):]) {
		return nil, nil, errors.New("checkpoint: truncated or damaged: the checksum does not fit")
	}
	length := int64(binary.LittleEndian.Uint32(data[12:]))
	if length > int64(len(body)-head) {
		return nil, nil, fmt.Errorf("checkpoint: a state of %d bytes does not fit", length)
	}
	var s state
	if err := json.Unmarshal(body[head:head+int(length)], &s); err != nil {
		return nil, nil, fmt.Errorf("checkpoint: state: %w", err)
	}
	return &s, body[head+int(length):], nil
}

// fits returns an error if the checkpoint is not one of this run.
func (t *Trainer) fits(s *state, floats []byte) error {
	mine := t.state()
	if want := 4 * 3 * mine.Elements; s.Elements == mine.Elements && len(floats) != want {
		return fmt.Errorf("checkpoint: %d bytes of weights instead of %d", len(floats), want)
	}
	mine.Config.Threads = s.Config.Threads // may differ
	if what := difference.First(s.Config, mine.Config); what != "" {
		return errors.New("checkpoint of another run: " + what)
	}
	if !slices.Equal(s.Sizes, mine.Sizes) {
		return fmt.Errorf("checkpoint of another run: the data had %v records and have %v", s.Sizes, mine.Sizes)
	}
	for i, f := range t.files() {
		if i < len(s.Sums) && s.Sums[i] != f.sum {
			return fmt.Errorf("checkpoint of another run: %s has other positions now", f.name)
		}
	}
	// The report of the last completed superbatch may be missing.
	trained := s.Batch - int64(len(s.History))*mine.Config.batches()
	if s.Elements != mine.Elements || s.Batch > mine.Config.total() || s.Read < 0 ||
		trained < 0 || trained > mine.Config.batches() {
		return fmt.Errorf("checkpoint: %d weights, batch %d, %d records and %d superbatches do not fit together",
			s.Elements, s.Batch, s.Read, len(s.History))
	}
	return nil
}
