package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"skein/internal/cli"
	"skein/internal/record"
	"skein/internal/train"
	"skein/nnue"
)

// records writes a file of n records, the labeled positions in turns.
func records(t *testing.T, name string, n int) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(labeled), "\n")
	var data []byte
	for i := range n {
		e, err := record.ParseEntry(lines[i%len(lines)])
		if err != nil {
			t.Fatal(err)
		}
		b := e.Pack()
		data = append(data, b[:]...)
	}
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// writerFunc is a function that is called for every write.
type writerFunc func()

// Write implements io.Writer.
func (f writerFunc) Write(b []byte) (int, error) { f(); return len(b), nil }

// canceler keeps what is written to it, and calls cancel at a text.
type canceler struct {
	strings.Builder
	text   string
	cancel func()
}

// Write implements io.Writer.
func (c *canceler) Write(b []byte) (int, error) {
	if strings.Contains(string(b), c.text) {
		c.cancel()
	}
	return c.Builder.Write(b)
}

// TestInterruptQuantizing interrupts a run that only has to round its network.
func TestInterruptQuantizing(t *testing.T) {
	out, data := filepath.Join(t.TempDir(), "x.nnue"), records(t, "data.bin", 200)
	args := []string{"train", "-o", out, "--width", "16", "--batch", "100", "--superbatches", "2", data}
	ctx, cancel := context.WithCancel(t.Context())
	report := canceler{text: "superbatch 2:", cancel: cancel}
	err := program.Run(ctx, args, io.Discard, &report)
	if !errors.Is(err, context.Canceled) || !strings.Contains(report.String(), "the same command continues") {
		t.Errorf("error %v after\n%s", err, report.String())
	}
	must(t, args...)
	if _, err := nnue.LoadFile(out); err != nil {
		t.Error(err)
	}
}

// TestSettingsOfNetwork applies settings as networks describe them, with the filter at
// the end of a run, while part of the one at its start is given on the command line.
func TestSettingsOfNetwork(t *testing.T) {
	flags, config := cli.NewFlags("train"), train.DefaultConfig()
	filterFlags(flags, &config)
	if err := flags.Parse([]string{"--max-score", "3000"}); err != nil {
		t.Fatal(err)
	}
	text := []byte("\ufeffmax-score 10000\nmax-score-end\t10000\nmin-move \t 4\nmin-move-end 6\n")
	if _, err := applySettings(flags, "settings", text); err != nil {
		t.Fatal(err)
	}
	if _, err := applySettings(flags, "settings", []byte("\nconfig x\n")); err == nil ||
		!strings.HasPrefix(err.Error(), "settings:2: settings cannot name") {
		t.Errorf("error %v", err)
	}
	setFilterEnd(flags, &config)
	if want := (train.Filter{MaxScore: 3000, MinMove: 4}); config.Filter != want {
		t.Errorf("at the start %+v, want %+v", config.Filter, want)
	}
	if want := (train.Filter{MaxScore: 3000, MinMove: 6}); config.FilterEnd != want {
		t.Errorf("at the end %+v, want %+v", config.FilterEnd, want)
	}
}

// TestTrain trains with flags on the command line, and with flags in a file and an
// interruption: the networks are equal.
func TestTrain(t *testing.T) {
	data, validation := records(t, "data.bin", 1000), records(t, "validation.bin", 100)
	folder := t.TempDir()
	settings := filepath.Join(folder, "settings")
	lines := "width 32\nking-map 01230123012301230123012301230123\noutput-buckets 8\nsuperbatches 99\nbatch 100\n" +
		"superbatch 1000\nname tiny\nvalidation " + validation + "\nwarmup 5\nthreads 2\nresult-end 0.25\n" +
		"max-surprise 1\nmax-surprise-end 0.9\n"
	err := os.WriteFile(settings, []byte("# a comment\n\n"+lines+"rate-every 8\ndata "+data+"\n"), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	byFlags := []string{"train", "-o", filepath.Join(folder, "flags.nnue")}
	for line := range strings.Lines(lines) {
		flag, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		byFlags = append(byFlags, "--"+flag, value)
	}
	byFlags = append(byFlags, "--superbatches", "4", data)
	byFile := []string{"train", "-o", filepath.Join(folder, "file.nnue"), "--config", settings}
	byFile = append(byFile, "--superbatches", "4", "--checkpoint-every", "1ns")

	var stderr bytes.Buffer
	if err := program.Run(t.Context(), byFlags, io.Discard, &stderr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"superbatch 4: 4 000 positions", "rounded to integers", "hash", "width 32\n"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, stderr.String())
		}
	}
	interrupted, cancel := context.WithCancel(t.Context())
	if err := program.Run(interrupted, byFile, io.Discard, writerFunc(cancel)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for range 2 {
		must(t, byFile...)
	}
	one, err := os.ReadFile(filepath.Join(folder, "flags.nnue"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(folder, "file.nnue"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one, other) {
		t.Error("the networks differ")
	}
	net, err := nnue.Read(bytes.NewReader(one))
	if err != nil {
		t.Fatal(err)
	}
	a := net.Architecture()
	if net.Name() != "tiny" || a.Width != 32 || a.KingBuckets != 4 || a.KingMap[2] != 2 || a.OutputBuckets != 8 {
		t.Errorf("network %s %v", net.Name(), a)
	}
	for _, want := range []string{
		"superbatches 4\n", "data data.bin\n", "validation validation.bin\n", "rate 0.004\n", "max-score-end 10000\n",
		"max-surprise-end 0.9\n", "rounded to integers",
	} {
		if !strings.Contains(net.Description(), want) {
			t.Errorf("the description does not say %q:\n%s", want, net.Description())
		}
	}
	if strings.Contains(net.Description(), folder) {
		t.Errorf("the description names a folder:\n%s", net.Description())
	}
	log, err := os.ReadFile(filepath.Join(folder, "flags.csv"))
	if err != nil || strings.Count(string(log), "\n") != 5 {
		t.Errorf("log %q, error %v", log, err)
	}
	chart, err := os.ReadFile(filepath.Join(folder, "flags.svg"))
	if err != nil || !bytes.Contains(chart, []byte("<polyline")) {
		t.Errorf("chart of %d bytes, error %v", len(chart), err)
	}
}

// TestBlocked trains while one of the files cannot be written: the run goes on to its end,
// and the error names the file.
func TestBlocked(t *testing.T) {
	data := records(t, "data.bin", 1000)
	for _, test := range []struct{ blocked, other, want string }{
		{"new.csv", "new.nnue", "superbatch 4: "},
		{"new.checkpoint", "new.nnue", "superbatch 4: "},
		{"new.nnue", "new.csv", "\n3,"},
	} {
		folder := t.TempDir()
		blocked := filepath.Join(folder, test.blocked)
		block := func() {
			if info, err := os.Stat(blocked); err == nil && info.Mode().IsRegular() {
				os.Remove(blocked)
				if err := os.MkdirAll(filepath.Join(blocked, "full"), 0o777); err != nil {
					t.Error(err)
				}
			}
		}
		args := strings.Fields("train --width 16 --superbatches 4 --batch 100 --threads 1 -o " +
			filepath.Join(folder, "new.nnue") + " " + data)
		err := program.Run(t.Context(), args, io.Discard, writerFunc(block))
		if err == nil || !strings.Contains(err.Error(), test.blocked) {
			t.Errorf("error %v, want one about %s", err, test.blocked)
		}
		if text := contents(t, filepath.Join(folder, test.other)); !strings.Contains(string(text), test.want) {
			t.Errorf("%s blocked: %s of %d bytes does not say %q", test.blocked, test.other, len(text), test.want)
		}
	}
}

// TestTrainHead trains a network with a head, then another one from it, whose scale is then the same.
func TestTrainHead(t *testing.T) {
	data, folder := records(t, "data.bin", 1000), t.TempDir()
	first, second := filepath.Join(folder, "first.nnue"), filepath.Join(folder, "second.nnue")
	common := strings.Fields("train --width 64 --layers 16,32 --superbatches 2 --batch 100 --threads 1 --warmup 5")
	must(t, append(common, "-o", first, "--scale", "613", data)...)
	must(t, append(common, "-o", second, "--from", first, data)...)
	old, err := nnue.LoadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	net, err := nnue.LoadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	if a := net.Architecture(); a.Layers != [2]int{16, 32} || a.Width != 64 || a.Scale != 613 {
		t.Errorf("network %v", a)
	}
	for _, want := range []string{"layers 16,32\n", "from first.nnue\n", "# from has the hash " + old.Hash()} {
		if !strings.Contains(net.Description(), want) {
			t.Errorf("the description does not say %q:\n%s", want, net.Description())
		}
	}
	if strings.Contains(net.Description(), folder) {
		t.Errorf("the description names a folder:\n%s", net.Description())
	}
}

func TestTrainErrors(t *testing.T) {
	data, folder := records(t, "data.bin", 100), t.TempDir()
	old := filepath.Join(folder, "old.nnue")
	if err := os.WriteFile(old, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	beside := filepath.Join(folder, "beside.nnue")
	if err := os.WriteFile(filepath.Join(folder, "beside.csv"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(folder, "settings")
	if err := os.WriteFile(settings, []byte("width 16\nwidht 16\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	constant := filepath.Join(folder, "constant")
	if err := os.WriteFile(constant, []byte("schedule constant\nrate-end 0.1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	endless := filepath.Join(folder, "endless")
	if err := os.WriteFile(endless, bytes.Repeat([]byte("#\n"), maxSettings/2+1), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(folder, "new.nnue")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{data}, "-o NET"},
		{[]string{"-o", out}, "training data"},
		{[]string{"-o", "x.net", data}, "x.net: the extension"},
		{[]string{"-o", old, data}, "old.nnue already exists"},
		{[]string{"-o", beside, data}, "beside.csv already exists"},
		{[]string{"-o", out, "--width", "-16", data}, "width -16"},
		{[]string{"-o", out, "--output-buckets", "-1", data}, "-1 output buckets"},
		{[]string{"-o", out, "--layers", "999999999,32", data}, "layers of 999999999"},
		{[]string{"-o", out, "--min-move", "2147483647", data}, "not 0 to 9999"},
		{[]string{"-o", out, "missing.bin"}, "missing.bin"},
		{[]string{"-o", out, "--validation", "missing.bin", data}, "missing.bin"},
		{[]string{"-o", out, "--validation", "games.skr", data}, "games.skr: not a file .bin"},
		{[]string{"-o", out, data, "data.bin.zst"}, "data.bin.zst: not a file .bin"},
		{[]string{"-o", out, "--width", "24", data}, "width 24"},
		{[]string{"-o", out, "--king-map", "0123", data}, "4 squares, expected 32"},
		{[]string{"-o", out, "--king-map", strings.Repeat("!", 32), data}, "'!' is not one of"},
		{[]string{"-o", out, "--king-map", strings.Repeat("0013", 8), data}, "no square has bucket 2 of 0 to 3"},
		{[]string{"-o", out, "--layers", "16", data}, "not two numbers"},
		{[]string{"-o", out, "--layers", "16,x", data}, `"x" is not a positive number`},
		{[]string{"-o", out, "--layers", "8,32", data}, "layers of 8 and 32"},
		{[]string{"-o", out, "--layers", "16,32", "--width", "32", data}, "width 32"},
		{[]string{"-o", out, "--from", "missing.nnue", data}, "missing.nnue"},
		{[]string{"-o", out, "--from", "", data}, "nets/default.nnue"},
		{[]string{"-o", out, "--config", settings, data}, "settings:2: "},
		{[]string{"-o", out, "--config", "missing.conf", data}, "missing.conf"},
		{[]string{"-o", out, "--config", endless, data}, "endless: more than a mebibyte"},
		{[]string{"-o", filepath.Join(folder, "no", "new.nnue"), "--superbatches", "1", data},
			filepath.Join("no", "new.lock")},
		{[]string{"-o", out, "--max-score-end", "0", data}, "limit of scores"},
		{[]string{"-o", out, "--rate-every", "3", data}, "--rate-every has no effect with the schedule cosine"},
		{[]string{"-o", out, "--schedule", "step", "--rate-end", "0.1", data}, "--rate-end has no effect with"},
		{[]string{"-o", out, "--config", constant, "--rate-step", "0.1", data}, "no effect with the schedule constant"},
		{[]string{"-o", out, "--validation-positions", "9", data}, "no effect without --validation"},
		{[]string{"-o", out, "--checkpoint-every", "0s", data}, "--checkpoint-every 0s is not positive"},
		{[]string{"-o", out, "--width", "320", "--output-buckets", "8", "--threats", "--dangers", "--seed", "2",
			"--from", "../../nets/default.nnue", "--superbatches", "1", data}, "--seed has no effect with --from"},
		{[]string{"-o", out, "--max-score", "5", "--min-move", "2", data}, "no position of the data passes"},
	} {
		fails(t, test.want, append([]string{"train"}, test.args...)...)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1 000", 1234567: "1 234 567"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// TestTrainFlags sets every flag of train.
func TestTrainFlags(t *testing.T) {
	flags, j := cli.NewFlags("tune train"), &trainJob{}
	j.config.Architecture.KingBuckets = 1
	j.define(flags)
	const args = "-o x.nnue --name n --checkpoint-every 3m --config c --from f --validation v " +
		"--validation-positions 1 --max-score 2 --min-move 3 --max-surprise 0.4 --max-score-end 5 --min-move-end 6 " +
		"--max-surprise-end 0.7 --width 16 --layers 16,32 --output-buckets 8 --king-map k --threats --dangers " +
		"--scale 9 --superbatches 10 --superbatch 11 --batch 12 --factorizers --seed 13 --threads 14 " +
		"--schedule step --rate 0.15 --rate-end 0.16 --rate-step 0.17 --rate-every 18 --warmup 19 --decay 0.2 " +
		"--result 0.21 --result-end 0.22 --score-scale 23 --huber 0.24"
	if err := flags.Parse(strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	want := train.Config{
		Name: "n", From: "f", Validation: "v", ValidationPositions: 1,
		Architecture: nnue.Architecture{Width: 16, KingBuckets: 1, OutputBuckets: 8, Threats: true, Dangers: true,
			Scale: 9},
		Filter:      train.Filter{MaxScore: 2, MinMove: 3, MaxSurprise: 0.4},
		FilterEnd:   train.Filter{MaxScore: 5, MinMove: 6, MaxSurprise: 0.7},
		Factorizers: true, Seed: 13, Threads: 14, Batch: 12, Superbatch: 11, Superbatches: 10,
		Rate:  train.Schedule{Kind: train.Step, Start: 0.15, End: 0.16, Gamma: 0.17, Every: 18, Warmup: 19},
		Decay: 0.2, ResultStart: 0.21, ResultEnd: 0.22, ScoreScale: 23, Huber: 0.24,
	}
	if !reflect.DeepEqual(j.config, want) {
		t.Errorf("%+v, want %+v", j.config, want)
	}
	if got := [4]string{j.out, j.configFile, j.kingMap, j.layers}; got != [4]string{"x.nnue", "c", "k", "16,32"} ||
		j.checkpointEvery != 3*time.Minute {
		t.Errorf("%q, checkpoints every %v", got, j.checkpointEvery)
	}
}
