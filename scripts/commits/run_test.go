package commits_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// repository is a git repository for a test.
type repository struct {
	t      *testing.T
	folder string
}

func newRepository(t *testing.T) *repository {
	if runtime.GOOS == "windows" {
		t.Skip("bash there may be one that knows no Windows paths")
	}
	for _, name := range []string{"git", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	r := &repository{t, t.TempDir()}
	r.git("init", "--quiet")
	return r
}

func (r *repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@localhost"}, args...)...)
	cmd.Dir = r.folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// commit makes an empty commit.
func (r *repository) commit(message string) {
	r.t.Helper()
	r.git("commit", "--quiet", "--allow-empty", "-m", message)
}

// check runs the script and reports whether it is content.
func (r *repository) check() (ok bool, out string) {
	r.t.Helper()
	script, err := filepath.Abs("run")
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := exec.Command("bash", script, r.folder).CombinedOutput()
	return err == nil, string(text)
}

func TestMessages(t *testing.T) {
	r := newRepository(t)
	good := []string{
		"All lines\n\nWhy\n\nNo functional change\n\nBench: 1195490",
		"Changes the signature\n\nBench: 7",
	}
	bad := []string{
		"Only a subject",
		"No number at all\n\nNo functional change",
		"Without its number\n\nBench: ",
		"More than a number\n\nBench: 12 nodes",
		"Too early\n\nBench: 12\n\nMore text",
	}
	for _, message := range append(good, bad...) {
		r.commit(message)
	}
	ok, out := r.check()
	if ok || !strings.Contains(out, fmt.Sprint(len(good)+len(bad), " commit")) {
		t.Error(out)
	}
	for i, message := range append(good, bad...) {
		subject, _, _ := strings.Cut(message, "\n")
		if named := strings.Contains(out, `"`+subject+`"`); named != (i >= len(good)) {
			t.Errorf("%q: %v in\n%s", message, named, out)
		}
	}
}

// TestPush checks that only the commits that origin/main lacks count, and the last
// ones if it lacks none.
func TestPush(t *testing.T) {
	r := newRepository(t)
	r.commit("Without")
	r.git("update-ref", "refs/remotes/origin/main", "HEAD")
	for i := range 22 {
		r.commit(fmt.Sprintf("Commit %d\n\nBench: 1", i))
	}
	if ok, out := r.check(); !ok || !strings.Contains(out, "22 commit") {
		t.Error("with origin/main:", out)
	}
	r.git("update-ref", "refs/remotes/origin/main", "HEAD")
	if ok, out := r.check(); !ok || !strings.Contains(out, "20 commit") {
		t.Error("nothing to push:", out)
	}
	r.git("update-ref", "-d", "refs/remotes/origin/main")
	r.commit("Without, too")
	if ok, out := r.check(); ok || !strings.Contains(out, "20 commit") || !strings.Contains(out, "too") {
		t.Error("without origin/main:", out)
	}
}
