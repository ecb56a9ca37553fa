//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// toolAttacks returns the attacks on datagen and tune.
func toolAttacks() []*attack {
	return []*attack{
		{name: "datagen: play onto a FIFO", try: playOntoFIFO},
		{name: "datagen: play onto a device", try: playOntoDevice},
		{name: "datagen: kill -9 of play", try: killedPlay},
		{name: "datagen: two players of one file", try: twoPlayers},
		{name: "datagen: two shuffles into one file", try: twoShuffles},
		{name: "datagen: kill -9 of shuffle", try: killedShuffle},
		{name: "datagen: output is the input", try: outputIsInput},
		{name: "datagen: full disk", try: fullDisk},
		{name: "datagen: read-only disk", try: readOnlyDisk},
		{name: "datagen: SIGINT while reading", try: silentInput(syscall.SIGINT)},
		{name: "datagen: SIGTERM while reading", try: silentInput(syscall.SIGTERM)},
		{name: "tune: checkpoint is a FIFO", try: checkpointFIFO},
	}
}

// play are the arguments of a quick run of self-play.
func play(args ...string) []string {
	quick := []string{"play", "--workers", "2", "--nodes", "50", "--hard", "500", "--hash", "1", "--start-nodes", "0"}
	return append(quick, args...)
}

// datagen runs datagen to its end and returns what it wrote.
func (f *field) datagen(args ...string) (string, error) {
	out, err := exec.Command(f.program("datagen"), args...).CombinedOutput()
	if bytes.Contains(out, []byte("goroutine ")) {
		return "", fmt.Errorf("datagen %s crashed\n%s", args[0], out)
	}
	return string(out), err
}

// games makes a file of games.
func (f *field) games(name string, n int) error {
	if out, err := f.datagen(play("-o", f.file(name), "--games", fmt.Sprint(n))...); err != nil {
		return fmt.Errorf("play: %w\n%s", err, out)
	}
	return nil
}

// verify checks files of games.
func (f *field) verify(names ...string) error {
	for _, name := range names {
		if out, err := f.datagen("verify", f.file(name)); err != nil {
			return fmt.Errorf("%s is damaged: %s", name, out)
		}
	}
	return nil
}

// refuses runs a command that must fail with a message within the patience of all.
func (f *field) refuses(program string, args ...string) error {
	p, err := start(f.program(program), args...)
	if err != nil {
		return err
	}
	p.CloseInput()
	if err := p.ends(1, 2); err != nil {
		return err
	}
	if p.Stderr() == "" {
		return errors.New("failed without a word")
	}
	return nil
}

func playOntoFIFO(f *field) error {
	if err := syscall.Mkfifo(f.file("fifo.skr"), 0o600); err != nil {
		return errSkipped
	}
	if err := f.refuses("datagen", play("-o", f.file("fifo.skr"), "--games", "1")...); err != nil {
		return err
	}
	return still(f.file("fifo.skr"), os.ModeNamedPipe)
}

func playOntoDevice(f *field) error {
	if err := syscall.Mknod(f.file("null.skr"), syscall.S_IFCHR|0o600, 1<<8|3); err != nil {
		return errSkipped
	}
	if err := f.refuses("datagen", play("-o", f.file("null.skr"), "--games", "1")...); err != nil {
		return err
	}
	return still(f.file("null.skr"), os.ModeCharDevice)
}

// still returns an error unless the file is there and of the kind it was.
func still(name string, kind os.FileMode) error {
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&kind == 0 {
		err = fmt.Errorf("%s is now %v", filepath.Base(name), info.Mode())
	}
	return err
}

// killedPlay kills play at a random moment; the file must go on as if nothing had
// happened.
func killedPlay(f *field) error {
	p, err := start(f.program("datagen"), play("-o", f.file("killed.skr"))...)
	if err != nil {
		return err
	}
	f.pause(1500 * time.Millisecond)
	p.signal(syscall.SIGKILL)
	<-p.Done()
	if err := errors.Join(f.games("killed.skr", 40), f.games("whole.skr", 40)); err != nil {
		return err
	}
	return f.verify("killed.skr", "whole.skr")
}

// twoPlayers play into one file at the same time: one is refused, and the file is
// whole.
func twoPlayers(f *field) error {
	a, err := start(f.program("datagen"), play("-o", f.file("x.skr"), "--games", "60")...)
	if err != nil {
		return err
	}
	f.pause(100 * time.Millisecond)
	b, err := start(f.program("datagen"), play("-o", f.file("x.skr"), "--games", "60")...)
	if err != nil {
		return err
	}
	if err := errors.Join(a.ends(0, 1), b.ends(0, 1)); err != nil {
		return err
	}
	return f.verify("x.skr")
}

// twoShuffles write one file at the same time: whoever reports success has written
// all of it.
func twoShuffles(f *field) error {
	if err := f.games("x.skr", 60); err != nil {
		return err
	}
	if out, err := f.datagen("shuffle", "-o", f.file("want.bin"), f.file("x.skr")); err != nil {
		return fmt.Errorf("shuffle: %w\n%s", err, out)
	}
	a, err := start(f.program("datagen"), "shuffle", "-o", f.file("x.bin"), f.file("x.skr"))
	if err != nil {
		return err
	}
	f.pause(20 * time.Millisecond)
	b, err := start(f.program("datagen"), "shuffle", "-o", f.file("x.bin"), f.file("x.skr"))
	if err != nil {
		return err
	}
	if err := errors.Join(a.ends(0, 1), b.ends(0, 1)); err != nil {
		return err
	}
	return sameSize(f.file("want.bin"), f.file("x.bin"))
}

func sameSize(want, got string) error {
	a, err := os.Stat(want)
	if err != nil {
		return err
	}
	b, err := os.Stat(got)
	if err == nil && a.Size() != b.Size() {
		err = fmt.Errorf("%s has %d bytes instead of %d", filepath.Base(got), b.Size(), a.Size())
	}
	return err
}

// killedShuffle leaves nothing behind once the next one is done.
func killedShuffle(f *field) error {
	if err := f.games("x.skr", 40); err != nil {
		return err
	}
	p, err := start(f.program("datagen"), "shuffle", "-o", f.file("x.bin"), f.file("x.skr"))
	if err != nil {
		return err
	}
	f.pause(60 * time.Millisecond)
	p.signal(syscall.SIGKILL)
	<-p.Done()
	os.Remove(f.file("x.bin")) // it may have been done
	if out, err := f.datagen("shuffle", "-o", f.file("x.bin"), f.file("x.skr")); err != nil {
		return fmt.Errorf("shuffle after a killed one: %w\n%s", err, out)
	}
	left, err := os.ReadDir(f.dir)
	if err == nil && len(left) != 2 {
		err = fmt.Errorf("%d files are left: %v", len(left), left)
	}
	return err
}

func outputIsInput(f *field) error {
	if err := f.games("x.skr", 5); err != nil {
		return err
	}
	before, err := os.ReadFile(f.file("x.skr"))
	if err != nil {
		return err
	}
	hard, soft := f.file("hard.skr"), f.file("soft.skr")
	if err := errors.Join(os.Link(f.file("x.skr"), hard), os.Symlink("x.skr", soft)); err != nil {
		return errSkipped
	}
	for _, name := range []string{"x.skr", "./x.skr", "hard.skr", "soft.skr"} {
		if err := f.refuses("datagen", "merge", "-o", f.dir+"/"+name, f.file("x.skr")); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	after, err := os.ReadFile(f.file("x.skr"))
	if err == nil && !bytes.Equal(before, after) {
		err = errors.New("the input has changed")
	}
	return err
}

// fullDisk lets commands run out of space on a disk of their own.
func fullDisk(f *field) error {
	if err := syscall.Mount("tmpfs", f.dir, "tmpfs", 0, "size=256k"); err != nil {
		return errSkipped
	}
	defer syscall.Unmount(f.dir, syscall.MNT_DETACH)
	if err := f.refuses("datagen", play("-o", f.file("x.skr"))...); err != nil {
		return fmt.Errorf("play: %w", err)
	}
	if err := f.verify("x.skr"); err != nil {
		return err
	}
	if err := f.refuses("datagen", "convert", "-o", f.file("x.txt"), f.file("x.skr")); err != nil {
		return fmt.Errorf("convert: %w", err)
	}
	if _, err := os.Stat(f.file("x.txt")); err == nil {
		return errors.New("convert left a torn file under its name")
	}
	p, err := start(f.program("engine"))
	if err != nil {
		return err
	}
	p.send("export_net " + f.file("x.nnue"))
	if err := p.answers(); err != nil {
		return err
	}
	if _, err := os.Stat(f.file("x.nnue")); err == nil {
		return errors.New("export_net left a torn file under its name")
	}
	return nil
}

func readOnlyDisk(f *field) error {
	if err := syscall.Mount("tmpfs", f.dir, "tmpfs", syscall.MS_RDONLY, "size=256k"); err != nil {
		return errSkipped
	}
	defer syscall.Unmount(f.dir, syscall.MNT_DETACH)
	return errors.Join(
		f.refuses("datagen", play("-o", f.file("x.skr"), "--games", "1")...),
		f.refuses("tune", "seed", "-o", f.file("x.nnue")),
	)
}

// silentInput interrupts a command that reads a FIFO nobody writes to.
func silentInput(s syscall.Signal) func(*field) error {
	return func(f *field) error {
		if err := syscall.Mkfifo(f.file("silent.skr"), 0o600); err != nil {
			return errSkipped
		}
		p, err := start(f.program("datagen"), "stats", f.file("silent.skr"))
		if err != nil {
			return err
		}
		time.Sleep(200 * time.Millisecond)
		p.signal(s)
		time.Sleep(100 * time.Millisecond)
		p.signal(s)
		select {
		case <-p.Done():
		case <-time.After(patience):
			p.signal(syscall.SIGKILL)
			return fmt.Errorf("hangs: two signals did not end it within %v", patience)
		}
		if strings.Contains(p.Stderr(), "goroutine ") {
			return p.died("with a trace")
		}
		return nil
	}
}

func checkpointFIFO(f *field) error {
	if err := syscall.Mkfifo(f.file("x.checkpoint"), 0o600); err != nil {
		return errSkipped
	}
	if err := f.games("x.skr", 5); err != nil {
		return err
	}
	if out, err := f.datagen("shuffle", "-o", f.file("x.bin"), f.file("x.skr")); err != nil {
		return fmt.Errorf("shuffle: %w\n%s", err, out)
	}
	return f.refuses("tune", "train", "-o", f.file("x.nnue"), "--width", "16", "--superbatches", "1", f.file("x.bin"))
}
