package rules_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"skein/notation"
	"skein/position"
	"skein/rules"
)

func TestAllocations(t *testing.T) {
	g := play(t, position.StartFEN, knights)
	if n := testing.AllocsPerRun(10, func() { rules.EndedOrClaimable(g) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestGames plays games of standard chess, Chess960 and double Fischer random to
// their ends and compares result and reason with those of python-chess, and from
// which ply on there is a draw to claim. No position before the end is one.
func TestGames(t *testing.T) {
	data, err := os.ReadFile("testdata/games.tsv")
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]int{}
	for row := range strings.Lines(string(data)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(row), "\t")
		g := position.NewGame(parse(t, cells[0]))
		moves := strings.Fields(cells[5])
		first := map[rules.Reason]int{rules.ThreefoldRepetition: -1, rules.FiftyMoves: -1}
		for ply := 0; ; ply++ {
			claim := rules.EndedOrClaimable(g).Reason
			if claim.Claimable() && first[claim] < 0 {
				first[claim] = ply
			}
			if ply == len(moves) {
				break
			}
			if o := rules.Ended(g); o.Over() {
				t.Fatalf("%s: %v after %d of %d plies", cells[0], o, ply, len(moves))
			}
			m, err := notation.ParseUCI(&g.Pos, moves[ply])
			if err != nil {
				t.Fatalf("%s: ply %d: %v", cells[0], ply, err)
			}
			g.Play(m)
		}
		o := rules.Ended(g)
		if o.Result.String() != cells[1] || o.Reason.String() != cells[2] {
			t.Errorf("%s: %v by %v at the end, want %s by %s", cells[0], o.Result, o.Reason, cells[1], cells[2])
		}
		threefold, fifty := first[rules.ThreefoldRepetition], first[rules.FiftyMoves]
		if strconv.Itoa(threefold) != cells[3] || strconv.Itoa(fifty) != cells[4] {
			t.Errorf("%s: first claims after %d and %d, want %s and %s", cells[0], threefold, fifty, cells[3], cells[4])
		}
		reasons[cells[2]]++
	}
	for reason := rules.Checkmate; !reason.Claimable(); reason++ {
		if reasons[reason.String()] < 4 {
			t.Errorf("%d games end by %v", reasons[reason.String()], reason)
		}
	}
}
