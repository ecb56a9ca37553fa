package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/internal/record"
	"skein/nnue"
)

// saved returns a run after one superbatch, its settings and its checkpoint.
func saved(t *testing.T) (*Trainer, Config, []byte) {
	t.Helper()
	c := testConfig(t, shapes[0])
	trainer := newTrainer(t, c)
	if _, err := trainer.Learn(t.Context(), quiet); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "run.checkpoint")
	if err := trainer.Save(name); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return trainer, c, data
}

// resume resumes a run from a checkpoint file with the given content.
func resume(t *testing.T, c Config, data []byte) (*Trainer, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "other.checkpoint")
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	trainer := newTrainer(t, c)
	err := trainer.Resume(name)
	if err != nil && !strings.Contains(err.Error(), name) {
		t.Errorf("error %v does not name the file", err)
	}
	return trainer, err
}

// TestCheckpointDamage expects an error for each kind of damage that names it.
func TestCheckpointDamage(t *testing.T) {
	trainer, c, data := saved(t)
	again, err := resume(t, c, data)
	if err != nil {
		t.Fatal(err)
	}
	same(t, again, trainer)

	changed := func(at int) []byte {
		b := append([]byte{}, data...)
		b[at] ^= 0x10
		return b
	}
	sealed := func(b []byte) []byte {
		sum := sha256.Sum256(b)
		return append(append([]byte{}, b...), sum[:]...)
	}
	body := data[:len(data)-sha256.Size]
	long := append([]byte{}, body...)
	binary.LittleEndian.PutUint32(long[12:], 1<<31)
	for _, test := range []struct {
		data []byte
		want string
	}{
		{nil, "not a checkpoint"},
		{[]byte("SKEINNET and so on"), "not a checkpoint"},
		{data[:20], "truncated"},
		{changed(3), "not a checkpoint"},
		{changed(8), "version"},
		{changed(13), "damaged"},
		{changed(40), "damaged"},
		{changed(len(data) / 2), "damaged"},
		{changed(len(data) - 1), "damaged"},
		{data[:len(data)-1], "damaged"},
		{append(append([]byte{}, data...), 0), "damaged"},
		{sealed(body[:len(body)-4]), "bytes of weights instead of"},
		{sealed(long), "does not fit"},
		{sealed([]byte(checkpointMagic + "\x01\x00\x00\x00\x02\x00\x00\x00[]")), "state"},
	} {
		if _, err := resume(t, c, test.data); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d bytes: error %v does not say %s", len(test.data), err, test.want)
		}
	}
}

// TestCheckpointOfAnotherRun expects errors that name the setting in which a
// run differs from its checkpoint.
func TestCheckpointOfAnotherRun(t *testing.T) {
	trainer, c, data := saved(t)
	for _, test := range []struct {
		want   string
		change func(*Config)
	}{
		{"Architecture.Width was", func(c *Config) { c.Architecture.Width = 32 }},
		{"Architecture.Scale was", func(c *Config) { c.Architecture.Scale++ }},
		{"Architecture.", func(c *Config) { c.Architecture.Width, c.Architecture.Layers = 64, [2]int{16, 32} }},
		{"Batch", func(c *Config) { c.Batch = 128 }},
		{"Rate.Start was", func(c *Config) { c.Rate.Start = 0.002 }},
		{"Seed", func(c *Config) { c.Seed++ }},
		{"ResultEnd", func(c *Config) { c.ResultEnd = 0.5 }},
		{"Data", func(c *Config) { c.Data = c.Data[:1] }},
		{"Filter.MinMove was 0 and is 2", func(c *Config) { c.Filter.MinMove = 2 }},
	} {
		other := c
		test.change(&other)
		if _, err := resume(t, other, data); err == nil || !strings.Contains(err.Error(), "another run: "+test.want) {
			t.Errorf("%s: error %v", test.want, err)
		}
	}
	more := c
	more.Threads = 3
	again, err := resume(t, more, data)
	if err != nil {
		t.Fatalf("another number of threads: %v", err)
	}
	same(t, again, trainer)
	learnAll(t, again)

	spoil := func(name string, want string) {
		t.Helper()
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		other := append(bytes.Clone(text[len(text)-record.EntrySize:]), text[:len(text)-record.EntrySize]...)
		if err := os.WriteFile(name, other, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := resume(t, c, data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s in another order: error %v", name, err)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	spoil(c.Data[0], c.Data[0]+" has other positions")
	spoil(c.Validation, c.Validation+" has other positions")

	f, err := os.OpenFile(c.Data[1], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := entries(t, 12, 1)[0].Pack()
	if _, err := f.Write(e[:]); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = resume(t, c, data)
	if err == nil || !strings.Contains(err.Error(), "the data had [9000 4001] records and have [9000 4002]") {
		t.Errorf("longer data: error %v", err)
	}
}

// TestSaveFailure expects an error, and the old file to remain.
func TestSaveFailure(t *testing.T) {
	trainer, _, _ := saved(t)
	err := trainer.Save(filepath.Join(t.TempDir(), "no such folder", "run.checkpoint"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	name := filepath.Join(t.TempDir(), "run.checkpoint")
	if err := os.Mkdir(name, 0o777); err != nil { // a file cannot replace a folder
		t.Fatal(err)
	}
	if err := trainer.Save(name); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(name + ".part"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary file remains: %v", err)
	}
}

// TestSameTwice expects the same weights from two runs, and different ones with
// another seed.
func TestSameTwice(t *testing.T) {
	c := testConfig(t, shapes[1])
	c.Threads, c.Superbatches = 3, 2
	a, b := newTrainer(t, c), newTrainer(t, c)
	learnAll(t, a)
	learnAll(t, b)
	same(t, a, b)
	c.Seed++
	other := newTrainer(t, c)
	learnAll(t, other)
	if other.model.parameters[0] == a.model.parameters[0] {
		t.Error("another seed gives the same weights")
	}
}

// TestThreads expects about the same loss with any number of threads, even with
// more threads than positions in a batch.
func TestThreads(t *testing.T) {
	c := testConfig(t, nnue.Architecture{Width: 16, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 1, Scale: 400})
	c.Batch, c.Superbatches = 64, 1
	var first float64
	for i, threads := range []int{1, 2, 7, 100} {
		c.Threads = threads
		trainer := newTrainer(t, c)
		learnAll(t, trainer)
		loss := trainer.history[0].Validation.Blended
		if i == 0 {
			first = loss
		}
		if loss < first*0.999 || loss > first*1.001 {
			t.Errorf("%d threads: loss %g, with one %g", threads, loss, first)
		}
	}
}
