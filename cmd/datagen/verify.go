package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"skein/internal/record"
	"skein/internal/selfplay"
	"skein/position"
)

// visitor sees good games and their positions.
type visitor interface {
	position(g *record.Game, p *position.Position, ply int)
	game(g *record.Game) error // after its positions
}

// replayAll replays the games of a file before the eyes of v, which may be nil.
// It stops at the first that is bad.
func replayAll(ctx context.Context, name string, v visitor) (games, positions int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	r, err := record.NewReader(f)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", name, err)
	}
	var g record.Game
	for ; ; games++ {
		if err := ctx.Err(); err != nil {
			return games, positions, err
		}
		err := r.Read(&g)
		if errors.Is(err, io.EOF) {
			return games, positions, nil
		}
		if err == nil {
			err = replay(r, &g, v)
		}
		if err != nil {
			return games, positions, fmt.Errorf("%s: %w", name, err)
		}
		positions += int64(len(g.Plies))
	}
}

// replay replays the last game that r has read.
func replay(r *record.Reader, g *record.Game, v visitor) error {
	var visit func(*position.Position, int)
	if v != nil {
		visit = func(p *position.Position, ply int) { v.position(g, p, ply) }
	}
	err := selfplay.Replay(g, visit)
	if bad := (*selfplay.ReplayError)(nil); errors.As(err, &bad) {
		return r.Place().Damage(bad.Ply, err.Error())
	}
	if v != nil && err == nil {
		err = v.game(g)
	}
	return err
}

// verify carries out the command of that name.
func verify(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("verify", "FILE...", stderr)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("verify: no file given")
	}
	bad := 0
	for _, name := range flags.Args() {
		games, positions, err := replayAll(ctx, name, nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			bad++
			fmt.Fprintf(stdout, "%v\n%s: bad after %d good games, %d positions\n", err, name, games, positions)
		default:
			fmt.Fprintf(stdout, "%s: good, %d games, %d positions\n", name, games, positions)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d files are bad", bad, flags.NArg())
	}
	return nil
}

// recoverFile carries out the command recover.
func recoverFile(args []string, stdout, stderr io.Writer) error {
	flags := newFlags("recover", "FILE", stderr)
	out := flags.String("o", "", "`file` to write, which must not exist")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *out == "" {
		return errors.New("recover: expected -o OUT FILE")
	}
	f, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	saved, err := record.Recover(f, info.Size(), *out)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d blocks, %d games, %d positions; %d bytes were left out\n",
		*out, saved.Blocks, saved.Games, saved.Positions, saved.Lost)
	return nil
}
