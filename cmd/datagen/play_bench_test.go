package main

import (
	"io"
	"path/filepath"
	"strconv"
	"testing"
)

// BenchmarkPlay plays as many positions as play does by default. Its profile
// tells what games cost besides the searches:
//
//	go test -run - -bench Play -benchtime 20000x -cpuprofile play.prof -o datagen.test ./cmd/datagen
//	go tool pprof -peek 'search.\(\*Engine\).Search$' datagen.test play.prof
func BenchmarkPlay(b *testing.B) {
	file := filepath.Join(b.TempDir(), "games.skr")
	args := []string{"play", "-o", file, "--workers", "2", "--positions", strconv.Itoa(b.N)}
	if err := program.Run(b.Context(), args, io.Discard, io.Discard); err != nil {
		b.Fatal(err)
	}
}
