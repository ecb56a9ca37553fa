package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"skein/internal/cli"
	"skein/nets"
	"skein/nnue"
	"skein/position"
	"skein/search"
)

// asEngine in the environment makes the test binary an engine.
const asEngine = "SKEIN_TEST_AS_ENGINE"

// asHanging in the environment makes the test binary a program that goes on after
// the first signal.
const asHanging = "SKEIN_TEST_AS_HANGING"

func TestMain(m *testing.M) {
	if os.Getenv(asHanging) != "" {
		ctx := cli.UntilSignal()
		fmt.Println("ready")
		<-ctx.Done()
		time.Sleep(time.Hour)
	}
	if os.Getenv(asEngine) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestCommandLines(t *testing.T) {
	for _, tt := range []struct{ args, want []string }{
		{[]string{"bench", "12", "1"}, []string{"bench 12 1"}},
		{[]string{"position startpos", "d"}, []string{"position startpos", "d"}},
		{[]string{"d"}, []string{"d"}},
	} {
		if got := commandLines(tt.args); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.args, got, tt.want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, tt := range []struct {
		args   string // separated by commas
		status int
		want   string
	}{
		{"--version", 0, "Skein " + version + "\n"},
		{"--help", 0, "usage: engine"},
		{"help", 0, "export_net"},
		{"compiler", 0, runtime.Version()},
		{"bench,1", 0, " nodes "},
		{"bench,--help", 0, "bench       [DEPTH [THREADS [HASH]]]: "},
		{"help,bench", 0, "bench       [DEPTH"},
		{"help,analyse", 0, "usage: engine analyse"},
		{"help,x", 1, `help: unknown command "x"`},
		{"x,--help", 1, `help: unknown command "x"`},
		{"bench,1,2,3,4", 1, "at most 3 numbers"},
		{"bench,x", 1, `depth "x" is not a number`},
		{"bench,0", 1, `depth "0" is not a number from 1`},
		{"bench,1,1,99999999999", 1, `hash "99999999999"`},
		{"nonsense", 1, `unknown command "nonsense"`},
		{"anlyse", 1, `unknown command "anlyse"`},
		{"completion,--help", 0, "usage: engine completion"},
		{"completion,bash", 0, " --multipv "},
		{"help,completion", 0, "usage: engine completion"},
		{"completion,csh", 2, ""},
		{"setoption name SyzygyPath value /nonexistent,isready", 1, "ERROR: option SyzygyPath: syzygy: /nonexistent"},
		{"export_net", 1, "name of the file is missing"},
		{"export_net,--force", 1, "name of the file is missing"},
		{"export_net,/nonexistent/file", 1, "ERROR: export_net: open /nonexistent/file"},
		{"setoption name EvalFile value /nonexistent,d", 1, "ERROR: option EvalFile: network: "},
		{"position startpos,go depth 3", 0, "bestmove "},
		{"eval", 0, "Evaluation: "},
	} {
		var out bytes.Buffer
		status := run(context.Background(), strings.Split(tt.args, ","), nil, &out, io.Discard)
		if status != tt.status || !strings.Contains(out.String(), tt.want) {
			t.Errorf("%s: exit status %d, output:\n%s", tt.args, status, &out)
		}
	}
}

// TestSuggestions names the command that may have been meant.
func TestSuggestions(t *testing.T) {
	for args, want := range map[string]string{
		"anlyse":       "engine: did you mean analyse?\n",
		"prft,3":       "engine: did you mean perft?\n",
		"d,benhc 3":    "engine: did you mean bench?\n",
		"analyze e4":   "engine: analyze takes its arguments one by one, without quotes around all\n",
		"bench,x":      "",
		"xyzzy":        "",
		"flip,x":       "",
		"position,fen": "",
		"completion":   "engine: completion: expected one of bash, zsh and fish\n",
	} {
		var stderr bytes.Buffer
		if run(context.Background(), strings.Split(args, ","), nil, io.Discard, &stderr); stderr.String() != want {
			t.Errorf("%s: %q, want %q", args, &stderr, want)
		}
	}
}

// TestLevels forces a level of the kernels, one that exists and others.
func TestLevels(t *testing.T) {
	foreign := "neon"
	if runtime.GOARCH == "arm64" {
		foreign = "avx2"
	}
	for _, tt := range []struct {
		level  string
		status int
		want   string
	}{
		{"generic", 0, "kernels: generic\n"},
		{"sse9", 1, `engine: SKEIN_SIMD="sse9" is not one of generic, avx2, avx512, neon`},
		{foreign, 1, "engine: SKEIN_SIMD=" + foreign + ": not supported by this processor"},
	} {
		cmd := exec.Command(os.Args[0], "compiler")
		cmd.Env = append(os.Environ(), asEngine+"=1", "SKEIN_SIMD="+tt.level)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != tt.status || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: %v\n%s", tt.level, err, out)
		}
	}
}

func TestExportNet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a net.nnue")
	var out bytes.Buffer
	load := "setoption name EvalFile value " + path
	if status := run(context.Background(),
		[]string{"export_net " + path, load, "setoption name EvalFile value <empty>"}, nil, &out,
		io.Discard); status != 0 {
		t.Errorf("status %d, output:\n%s", status, &out)
	}
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(data, nets.Default) {
		t.Errorf("the file differs from the embedded network (%v)", err)
	}
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	status := run(context.Background(), []string{"export_net " + path}, nil, &out, io.Discard)
	data, err = os.ReadFile(path)
	if status != 1 || !strings.Contains(out.String(), path+" already exists") || string(data) != "old" {
		t.Errorf("over a file: status %d, %v, output:\n%s", status, err, &out)
	}
	out.Reset()
	status = run(context.Background(), []string{"export_net --force " + path}, nil, &out, io.Discard)
	if data, err := os.ReadFile(path); status != 0 || !bytes.Equal(data, nets.Default) {
		t.Errorf("by force: status %d, %v, output:\n%s", status, err, &out)
	}
	out.Reset()
	status = run(context.Background(), []string{"export_net --force " + os.DevNull}, nil, &out, io.Discard)
	if status != 1 || !strings.Contains(out.String(), os.DevNull) {
		t.Errorf("to a device: status %d, output:\n%s", status, &out)
	}
}

// TestBadNetworks offers networks that must be refused while another than the
// embedded one is in use: the reason is named, and the one in use kept.
func TestBadNetworks(t *testing.T) {
	const version, width, scale = 8, 12, 52 // offsets in the file
	sealed := func(at int, value byte) []byte {
		data := slices.Clone(nets.Default)
		data[at] = value
		end := len(data) - sha256.Size
		sum := sha256.Sum256(data[:end])
		return append(data[:end], sum[:]...)
	}
	flipped := slices.Clone(nets.Default)
	flipped[len(flipped)/2] ^= 4
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return "setoption name EvalFile value " + path
	}
	play := func(lines ...string) string {
		var out bytes.Buffer
		lines = append(lines, "position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "eval", "go depth 4", "isready")
		run(context.Background(), lines, nil, &out, io.Discard)
		return timing.ReplaceAllString(out.String(), "")
	}
	other := file("other", sealed(scale, nets.Default[scale]^0x40))
	want := play(other)
	if want == play() {
		t.Fatal("the other network plays like the embedded one")
	}
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"cut in the weights", nets.Default[:len(nets.Default)-1000], "truncated: 1000 bytes short"},
		{"cut in the header", nets.Default[:20], "truncated: the header does not fit 20 bytes"},
		{"empty", nil, "not a network file"},
		{"flipped", flipped, "the checksum does not fit"},
		{"architecture", sealed(width, 24), "is not a multiple of 16"},
		{"another width", sealed(width, nets.Default[width]^32), "truncated"},
		{"too new", sealed(version, 99), "version 99, this program reads versions 1 to 5"},
		{"text", []byte("SKEINPOEM\n"), "not a network file"},
	} {
		got := play(other, file(tt.name, tt.data))
		refusal, rest, _ := strings.Cut(got, "\n")
		if !strings.HasPrefix(refusal, "info string ERROR: option EvalFile: ") || !strings.Contains(refusal, tt.want) {
			t.Errorf("%s: %s", tt.name, refusal)
		}
		if rest != want {
			t.Errorf("%s: afterwards\n%s\ninstead of\n%s", tt.name, rest, want)
		}
	}
}

// timing is what differs between equal searches.
var timing = regexp.MustCompile(` (nps|time|cpuload) \d+`)

// TestProcess ends engines during a search.
func TestProcess(t *testing.T) {
	for name, end := range map[string]func(cmd *exec.Cmd, in io.WriteCloser, out io.Closer) error{
		"quit": func(_ *exec.Cmd, in io.WriteCloser, _ io.Closer) error {
			_, err := io.WriteString(in, "quit\n")
			return err
		},
		"end of input": func(_ *exec.Cmd, in io.WriteCloser, _ io.Closer) error { return in.Close() },
		"SIGTERM": func(cmd *exec.Cmd, _ io.WriteCloser, _ io.Closer) error {
			return cmd.Process.Signal(syscall.SIGTERM)
		},
		"closed output": func(_ *exec.Cmd, _ io.WriteCloser, out io.Closer) error { return out.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "SIGTERM" && runtime.GOOS == "windows" {
				t.Skip("Windows has no signals to send")
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0])
			cmd.Env = append(os.Environ(), asEngine+"=1")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			io.WriteString(in, "position startpos\ngo infinite\nisready\n")
			for scanner := bufio.NewScanner(out); scanner.Scan() && scanner.Text() != "readyok"; {
			}
			if err := end(cmd, in, out); err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, out)
			if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
				t.Errorf("%v\n%s", err, &stderr)
			}
		})
	}
}

// TestOtherNetwork plays with another network, and then with the embedded one again.
func TestOtherNetwork(t *testing.T) {
	embedded, err := nnue.Read(bytes.NewReader(nets.Default))
	if err != nil {
		t.Fatal(err)
	}
	p := *embedded.Parameters()
	p.Scale *= 2
	other, err := nnue.New(&p)
	if err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	if _, err := other.WriteTo(&data); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "other.nnue")
	if err := os.WriteFile(path, data.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	eval := func(lines ...string) string {
		var out bytes.Buffer
		run(t.Context(), append(lines, "position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "eval"), nil, &out, io.Discard)
		return out.String()
	}
	set, reset := "setoption name EvalFile value "+path, "setoption name EvalFile value <empty>"
	if plain := eval(); eval(set) == plain || eval(set, reset) != plain {
		t.Errorf("%q, then %q, and again %q", plain, eval(set), eval(set, reset))
	}
	e, err := environment(nil, io.Discard, io.Discard).NewEngine(2, 1, path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	threads, control := 0, search.NewControl(false)
	limits := search.Limits{Infinite: true, Control: control, CurrLines: 1}
	e.Search(position.NewGame(position.Start()), limits, func(info search.Info) {
		if l, ok := info.(*search.CurrentLines); ok {
			threads = len(l.Lines)
			control.Stop()
		}
	})
	if threads != 2 || e.Network().Hash() != other.Hash() {
		t.Errorf("%d threads, network %s", threads, e.Network().Hash())
	}
}
