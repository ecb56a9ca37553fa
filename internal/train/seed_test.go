package train

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/nnue"
	"skein/position"
)

// wantValues are the expected piece values in units of 1/256 pawn.
var wantValues = [5]int{256, 832, 858, 1280, 2496}

// most is the maximum number of pieces of each type of one side.
var most = [5]int{8, 10, 10, 10, 9}

// material is the number of pieces by color and type, without kings.
type material [2][5]int

func materialOf(p *position.Position) (m material) {
	for c := range m {
		for k := range m[c] {
			m[c][k] = p.PiecesOf(chess.Color(c), chess.PieceType(k)).Count()
		}
	}
	return m
}

// evaluator evaluates positions with the seed network from White's view.
type evaluator struct{ stack *nnue.Stack }

func newEvaluator(t *testing.T) evaluator {
	t.Helper()
	net, err := Seed()
	if err != nil {
		t.Fatal(err)
	}
	return evaluator{nnue.NewStack(net, 0)}
}

func (e evaluator) value(p *position.Position) int {
	e.stack.Reset(p)
	if p.SideToMove() == chess.Black {
		return -int(e.stack.Evaluate(p))
	}
	return int(e.stack.Evaluate(p))
}

// place returns a random position with the given material and side to move in
// which no king is in check.
func place(t *testing.T, r *rand.Rand, m material, side string) position.Position {
	t.Helper()
	for range 20000 {
		var board [64]byte
		put := func(letter byte) {
			for {
				s := r.IntN(64)
				if board[s] == 0 && (letter|0x20 != 'p' || s >= 8 && s < 56) {
					board[s] = letter
					return
				}
			}
		}
		put('K')
		put('k')
		for c := range m {
			for k, n := range m[c] {
				for range n {
					put(chess.MakePiece(chess.Color(c), chess.PieceType(k)).Letter())
				}
			}
		}
		var fen strings.Builder
		for rank := 7; rank >= 0; rank-- {
			empty := 0
			for file := range 9 { // the ninth ends the rank
				if file < 8 && board[8*rank+file] == 0 {
					empty++
					continue
				}
				if empty > 0 {
					fmt.Fprint(&fen, empty)
					empty = 0
				}
				if file < 8 {
					fen.WriteByte(board[8*rank+file])
				}
			}
			if rank > 0 {
				fen.WriteByte('/')
			}
		}
		if p, err := position.Parse(fen.String()+" "+side+" - - 0 1", false); err == nil && !p.InCheck() {
			return p
		}
	}
	t.Fatalf("no position found with %v", m)
	panic("unreachable")
}

// TestSeedCounts checks the value of every legal number of pieces of one type.
func TestSeedCounts(t *testing.T) {
	e := newEvaluator(t)
	r := rand.New(rand.NewPCG(8, 0))
	for k := range pieceValues {
		for n := 0; n <= most[k]; n++ {
			want := n * wantValues[k]
			var got [2]int
			for c := range got {
				var m material
				m[c][k] = n
				for _, side := range []string{"w", "b"} {
					p := place(t, r, m, side)
					v := e.value(&p)
					if c == int(chess.Black) {
						v = -v
					}
					if side == "w" {
						got[c] = v
					}
					if v != got[c] {
						t.Errorf("%d %s: %d, with the other side to move %d", n, chess.PieceType(k), got[c], v)
					}
				}
			}
			if got[0] != got[1] {
				t.Errorf("%d %s: %d for White, %d for Black", n, chess.PieceType(k), got[0], got[1])
			}
			if abs(got[0]-want) > max(2, want/100) {
				t.Errorf("%d %s: %d instead of %d", n, chess.PieceType(k), got[0], want)
			}
		}
	}
}

// TestSeedIsLinear compares the values of combined material with the sums of
// the parts.
func TestSeedIsLinear(t *testing.T) {
	e := newEvaluator(t)
	r := rand.New(rand.NewPCG(9, 0))
	var parts [5][11]int // by type and number
	for k := range parts {
		for n := 0; n <= most[k]; n++ {
			var m material
			m[chess.White][k] = n
			p := place(t, r, m, "w")
			parts[k][n] = e.value(&p)
		}
	}
	for range 300 {
		var m material
		for c := range m {
			promoted := 0
			for range r.IntN(16) {
				// Pieces beyond the initial ones are promoted pawns.
				k := r.IntN(5)
				initial := [5]int{8, 2, 2, 2, 1}[k]
				if m[c][0]+promoted == 8 && (k == 0 || m[c][k] >= initial) {
					continue
				}
				if k > 0 && m[c][k] >= initial {
					promoted++
				}
				m[c][k]++
			}
		}
		want := 0
		for k := range parts {
			want += parts[k][m[0][k]] - parts[k][m[1][k]]
		}
		p := place(t, r, m, [2]string{"w", "b"}[r.IntN(2)])
		if got := e.value(&p); abs(got-want) > 10 { // each part is rounded
			t.Errorf("%s: %d instead of %d", p.FEN(), got, want)
		}
	}
}

// TestSeedSeesNothingElse plays random games and expects one value for each
// difference in material, whatever the squares of the men and the side to move.
func TestSeedSeesNothingElse(t *testing.T) {
	e := newEvaluator(t)
	values := map[[5]int]int{}
	seen := 0
	for game := range 40 {
		r := rand.New(rand.NewPCG(10, uint64(game)))
		p := position.Start()
		for range 150 {
			moves := movegen.Legal(&p)
			if len(moves) == 0 {
				break
			}
			var next position.Position
			var d position.Delta
			p.Do(moves[r.IntN(len(moves))], &next, &d)
			p = next
			m := materialOf(&p)
			var difference [5]int
			for k := range difference {
				difference[k] = m[0][k] - m[1][k]
			}
			got := e.value(&p)
			if want, ok := values[difference]; !ok {
				values[difference] = got
			} else if seen++; got != want {
				t.Fatalf("%s: %d, but elsewhere %d", p.FEN(), got, want)
			}
		}
	}
	if seen < 1000 || values[[5]int{}] != 0 {
		t.Errorf("%d positions compared, equal material is worth %d", seen, values[[5]int{}])
	}
}

// TestSeedIsReproducible checks that two seed networks are equal and that the
// description has the piece values.
func TestSeedIsReproducible(t *testing.T) {
	a, err := Seed()
	if err != nil {
		t.Fatal(err)
	}
	b, err := Seed()
	if err != nil {
		t.Fatal(err)
	}
	if a.Hash() != b.Hash() {
		t.Errorf("hashes %s and %s", a.Hash(), b.Hash())
	}
	for _, value := range pieceValues {
		if !strings.Contains(a.Description(), fmt.Sprint(" ", value)) {
			t.Errorf("description %q does not name %d", a.Description(), value)
		}
	}
}

func abs(x int) int { return max(x, -x) }
