package review

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"skein/notation"
)

// FuzzFromEvals reviews games by the evaluations in their comments: the review can be
// written, and what is written has the same scores.
func FuzzFromEvals(f *testing.F) {
	f.Add("{[%eval 0.2]} 1. e4 {[%eval 0.35,12] [%clk 1:02:03.4]} e5 $6 {Inaccuracy. c5 was best. [%eval -99999]} *")
	f.Add("1. f3 {[%eval -1e9]} e5 {[%eval #-3]} 2. g4?? {[%eval #-1] Blunder, allows mate in 1.} Qh4# 0-1")
	f.Add("[FEN \"8/8/8/8/8/4k3/8/4K3 b - - 0 1\"]\n\n1... -- {[%eval #0]} 2. Kd1 1/2-1/2")
	f.Fuzz(func(t *testing.T, pgn string) {
		g, _ := notation.NewReader(strings.NewReader(pgn)).Read()
		if g == nil {
			return
		}
		reviewed, ok := FromEvals(g, Lichess)
		if !ok {
			return
		}
		if _, err := json.Marshal(reviewed); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := NewWriter(&b, false).Write(g, reviewed); err != nil {
			t.Fatal(err)
		}
		n := 0
		for again, err := range ReadWritten(bytes.NewReader(b.Bytes()), false) {
			if err != nil {
				t.Fatalf("%v\n%s", err, &b)
			}
			if n++; !again.Reviews(g) || again.End != int64(b.Len()) {
				t.Fatalf("%d of %d bytes are read as another game\n%s", again.End, b.Len(), &b)
			}
			for i, p := range again.Plies {
				if got, want := p.After.String(), reviewed.Plies[i].After.String(); got != want {
					t.Errorf("ply %d is worth %s, written as %s\n%s", i+1, want, got, &b)
				}
			}
		}
		if n != 1 {
			t.Errorf("%d games\n%s", n, &b)
		}
	})
}
