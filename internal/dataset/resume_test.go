package dataset_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"skein/internal/dataset"
	"skein/internal/record"
	"skein/position"
)

// TestResume continues files whose process ended at different moments.
func TestResume(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.txt")
	stopped := errors.New("stopped")
	entry := record.Entry{Position: parse(t, position.StartFEN), Score: 12}
	line := entry.String() + "\n"
	begin := func(batches int) *dataset.Resumed {
		t.Helper()
		r, err := dataset.Resume(name, "settings")
		if err != nil {
			t.Fatal(err)
		}
		if r.Batches != batches || r.Positions != int64(2*batches) || r.Games != int64(batches) ||
			r.Beyond != int64(3*batches) {
			t.Fatalf("continues after %+v", r.Mark)
		}
		return r
	}
	write := func(r *dataset.Resumed) {
		t.Helper()
		if err := r.Write([]record.Entry{entry, entry}, 1, 0, 3); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(want string) {
		t.Helper()
		if _, err := dataset.Resume(name, "settings"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}

	// Without a batch nothing is kept.
	if err := begin(0).Close(stopped); !errors.Is(err, stopped) {
		t.Error(err)
	}
	if _, err := os.Stat(name + ".unfinished"); err == nil {
		t.Error("an empty file is left")
	}

	r := begin(0)
	write(r)
	refused("another process")
	want := "stopped; " + name + ".unfinished keeps what was done, for the same command with the same inputs"
	if err := r.Close(stopped); !errors.Is(err, stopped) || err.Error() != want {
		t.Error(err)
	}
	if _, err := dataset.Resume(name, "others"); err == nil || !strings.Contains(err.Error(), "settings") {
		t.Error(err)
	}

	// What a killed process wrote after its mark is cut off.
	unfinished, err := os.OpenFile(name+".unfinished", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unfinished.WriteString("8/8/8"); err != nil {
		t.Fatal(err)
	}
	if err := unfinished.Close(); err != nil {
		t.Fatal(err)
	}
	r = begin(1)
	write(r)
	if err := r.Close(stopped); !errors.Is(err, stopped) {
		t.Error(err)
	}

	// A file shorter than its mark, and a damaged mark.
	data, err := os.ReadFile(name + ".unfinished")
	if err != nil {
		t.Fatal(err)
	}
	put := func(suffix string, data []byte) {
		t.Helper()
		if err := os.WriteFile(name+suffix, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(".unfinished", data[:100])
	refused("missing")
	put(".unfinished", data)
	mark, err := os.ReadFile(name + ".unfinished.json")
	if err != nil {
		t.Fatal(err)
	}
	put(".unfinished.json", mark[:20])
	refused(".unfinished.json")
	put(".unfinished.json", bytes.Replace(mark, []byte(`"Batches": 2`), []byte(`"Batches": -2`), 1))
	refused("not those of an unfinished file")
	if err := os.Remove(name + ".unfinished.json"); err != nil {
		t.Fatal(err)
	}
	refused(".unfinished.json")
	put(".unfinished.json", mark)

	r = begin(2)
	write(r)
	if err := r.Close(nil); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != strings.Repeat(line, 6) {
		t.Errorf("%s, %v", data, err)
	}
	if left, err := filepath.Glob(name + ".*"); err != nil || !slices.Equal(left, []string{name + ".complete.json"}) {
		t.Errorf("left %q, %v", left, err)
	}

	// A mark without its file does not survive the next file's beginning.
	name = filepath.Join(t.TempDir(), "y.txt")
	put(".unfinished.json", mark)
	r = begin(0)
	if now, err := os.ReadFile(name + ".unfinished.json"); err != nil || string(now) == string(mark) {
		t.Errorf("%s, %v", now, err)
	}
	if err := r.Close(nil); err != nil {
		t.Error(err)
	}
}

// TestComplete begins a file that is there: it is known to be complete if the settings and
// its size are the same.
func TestComplete(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.txt")
	r, err := dataset.Resume(name, "settings")
	if err != nil {
		t.Fatal(err)
	}
	entry := record.Entry{Position: parse(t, position.StartFEN)}
	if err := errors.Join(r.Write([]record.Entry{entry, entry}, 1, 0, 0), r.Close(nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.Resume(name, "settings"); !errors.Is(err, dataset.ErrComplete) {
		t.Error(err)
	}
	exists := name + " already exists"
	if _, err := dataset.Resume(name, "others"); err == nil || err.Error() != exists {
		t.Error(err)
	}
	if err := os.WriteFile(name, []byte(entry.String()+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.Resume(name, "settings"); err == nil || err.Error() != exists {
		t.Error(err)
	}
}

// TestMarks waits after each batch, as if the next one took long: a process killed then
// would lose none.
func TestMarks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.txt")
	entry := record.Entry{Position: parse(t, position.StartFEN)}
	synctest.Test(t, func(t *testing.T) {
		r, err := dataset.Resume(name, "settings")
		if err != nil {
			t.Fatal(err)
		}
		for batch := range 3 {
			if err := r.Write([]record.Entry{entry}, 1, 0, 0); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			var mark dataset.Mark
			data, err := os.ReadFile(name + ".unfinished.json")
			if err := errors.Join(err, json.Unmarshal(data, &mark)); err != nil || mark.Batches != batch+1 {
				t.Errorf("after batch %d: %+v, %v", batch, mark, err)
			}
		}
		if err := r.Close(nil); err != nil {
			t.Error(err)
		}
	})
}

// TestBothKinds writes a file that a command writes in the other of two ways, which
// have different names for what is not complete.
func TestBothKinds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.bin")
	games := strings.TrimSuffix(name, "bin") + "skr"
	const want = "another process"
	err := dataset.Create(name, func(io.Writer) error {
		_, err := dataset.Resume(name, "settings")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("resumed while it is created: %v", err)
	}
	write := func(*record.Writer) error { return nil }
	err = dataset.Create(games, func(io.Writer) error { return dataset.ResumeGames(t.Context(), games, "", write) })
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("games resumed while they are created: %v", err)
	}
	r, err := dataset.Resume(name, "settings")
	if err != nil {
		t.Fatal(err)
	}
	if err := dataset.Create(name, nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("created while it is resumed: %v", err)
	}
	if err := r.Close(nil); err != nil {
		t.Error(err)
	}
}

// TestInputs tells files of the same name and size apart.
func TestInputs(t *testing.T) {
	name := write(t, "x.txt", []byte("a"))
	first, err := dataset.Inputs([]string{name})
	if err != nil || !strings.Contains(first, name) {
		t.Fatal(first, err)
	}
	if err := os.WriteFile(name, []byte("b"), 0o600); err != nil {
		t.Fatal(err)
	}
	if second, err := dataset.Inputs([]string{name}); err != nil || first == second {
		t.Error(second, err)
	}
	long := make([]byte, 300_000)
	var texts [2]string
	for i := range texts { // of which only the end differs
		long[len(long)-1] = byte(i)
		if err := os.WriteFile(name, long, 0o600); err != nil {
			t.Fatal(err)
		}
		if texts[i], err = dataset.Inputs([]string{name}); err != nil {
			t.Error(err)
		}
	}
	if texts[0] == texts[1] {
		t.Error("files with different ends are the same")
	}
	if _, err := dataset.Inputs([]string{name, name + "2"}); err == nil || !strings.Contains(err.Error(), name+"2") {
		t.Error(err)
	}
}

// TestSkip skips parts of an input, also more than there are.
func TestSkip(t *testing.T) {
	source := func(_ context.Context, put func(int) error) error { return errors.Join(put(1), put(2), put(3)) }
	for skip, want := range []string{"[1 2 3] <nil>", "[2 3] <nil>", "[3] <nil>", "[] <nil>",
		"[] the input is shorter than before: 1 of the 4 parts already done are missing"} {
		items := []int{}
		err := dataset.Skip(source, skip)(t.Context(), func(item int) error {
			items = append(items, item)
			return nil
		})
		if got := fmt.Sprint(items, err); got != want {
			t.Errorf("without %d: %s, want %s", skip, got, want)
		}
	}
}
