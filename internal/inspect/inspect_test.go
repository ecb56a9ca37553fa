package inspect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/chess"
	"skein/nnue"
	"skein/position"
)

// made returns a network of 16 neurons: the first has no output weight, the second
// can never be active, the third is always clipped, the fourth has a positive
// weight for an own pawn on a2 and a negative one for the opponent's king on h8.
func made(t *testing.T) *nnue.Network {
	t.Helper()
	p := nnue.NewParameters(nnue.Architecture{Width: 16, KingBuckets: 1, OutputBuckets: 1, Scale: 400})
	p.Name, p.Description = "made", "by hand"
	for i := range p.OutputWeights {
		p.OutputWeights[i] = int16(i % 16)
	}
	for i := range p.FeatureBias {
		p.FeatureBias[i] = 5
	}
	p.FeatureBias[1], p.FeatureBias[2] = -70, 300
	p.FeatureWeights[nnue.FeatureIndex(chess.White, chess.A1, chess.MakePiece(chess.White, chess.Pawn), 8)*16+3] = 60
	p.FeatureWeights[nnue.FeatureIndex(chess.White, chess.A1, chess.MakePiece(chess.Black, chess.King), 63)*16+3] = -120
	p.FeatureWeights[nnue.FeatureIndex(chess.White, chess.A1, chess.MakePiece(chess.White, chess.Rook), 0)*16+1] = 70
	net, err := nnue.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// describes checks that the description of a network and of its activity in one position
// contains the parts.
func describes(t *testing.T, net *nnue.Network, parts ...string) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "x.epd")
	// The kings are on the queenside, so that files are not mirrored.
	if err := os.WriteFile(data, []byte("1k6/8/8/8/8/8/P7/1K6 w - -\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	activity, err := MeasureActivity(t.Context(), net.Parameters(), data, 100)
	if err != nil {
		t.Fatal(err)
	}
	out := Describe(net) + activity.String()
	for _, part := range parts {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
}

func TestInspect(t *testing.T) {
	describes(t, made(t),
		"made", "by hand", "(768x1hm -> 16)x2 -> 1x1",
		"feature weights: 12288, -120 to 70",
		"     32 to 63         1   0.0 %",
		"    -127 to -64         1   0.0 %",
		"neurons: 16, of which 1 have no weight in any output, 1 can never be active, 1 are always clipped",
		"in 1 positions: 1 neurons never active, 1 always clipped; active on average 93.8 %",
	)
}

// TestInspectDangers has a neuron that only a danger activates, and one that only a
// danger keeps from being clipped.
func TestInspectDangers(t *testing.T) {
	p := nnue.NewParameters(nnue.Architecture{
		Width: 16, KingBuckets: 1, Threats: true, Dangers: true, OutputBuckets: 1, Scale: 400,
	})
	p.FeatureBias[1], p.FeatureBias[2] = -39, 255+39
	dangers := p.FeatureWeights[p.Tables()*nnue.Features*16:]
	dangers[1], dangers[2] = 40, -40 // a safe check by a knight of the opponent
	dangers[22*16+1] = -30           // by an own one
	if _, never, always := deadNeurons(p); never != 14 || always != 0 {
		t.Errorf("%d neurons never active and %d always clipped, want 14 and none", never, always)
	}
	_, acc := accumulated(t, p, "4k3/8/8/3N4/8/8/8/4K3 w - - 0 1")
	if white, black := acc[0][1], acc[1][1]; white != -39-30 || black != -39+40 {
		t.Errorf("accumulators of White %d, of Black %d, want -69 and 1", white, black)
	}
}

// TestDrawInputs checks the colors of some squares of the image.
func TestDrawInputs(t *testing.T) {
	img := DrawInputs(made(t).Parameters(), 0)
	// The output weight of neuron n is n, so neuron 3 comes thirteenth.
	columns := (img.Bounds().Dx() - tileGap) / tileWidth
	x, y := tileGap+12%columns*tileWidth, tileGap+12/columns*tileHeight
	for _, test := range []struct {
		name    string
		x, y    int
		r, g, b uint32
	}{
		{"own pawn on a2", 0, 6 * pixel, 255 - 53/2, 127, 143},
		{"own pawn on a3", 0, 5 * pixel, 255, 255, 255},
		{"opponent's king on h8", 5*boardSize + 7*pixel, boardSize, 5, 113, 176},
	} {
		r, g, b, _ := img.At(x+test.x, y+test.y).RGBA()
		near := func(a, b uint32) bool { return max(a>>8, b)-min(a>>8, b) < 3 }
		if !near(r, test.r) || !near(g, test.g) || !near(b, test.b) {
			t.Errorf("%s is %d %d %d", test.name, r>>8, g>>8, b>>8)
		}
	}
}

// TestActivityErrors checks that the error names a file without positions.
func TestActivityErrors(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.epd")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{empty, filepath.Join(dir, "none.txt")} {
		_, err := MeasureActivity(t.Context(), made(t).Parameters(), name, 100)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// accumulated returns a position and its accumulators, that of the side to move first.
func accumulated(t *testing.T, p *nnue.Parameters, fen string) (pos position.Position, acc [2][]int) {
	t.Helper()
	pos, err := position.Parse(fen, true)
	if err != nil {
		t.Fatal(err)
	}
	us := pos.SideToMove()
	for i, c := range [2]chess.Color{us, us.Other()} {
		acc[i] = make([]int, p.Width)
		accumulate(p, &pos, c, acc[i])
	}
	return pos, acc
}

// TestAccumulate compares outputs computed from accumulators with the values of the
// network.
func TestAccumulate(t *testing.T) {
	net := made(t)
	p := net.Parameters()
	for _, fen := range []string{
		"1k6/8/8/8/8/8/P7/1K6 w - - 0 1",
		"7k/8/8/8/8/8/P7/R1K5 b - - 0 1",
		position.StartFEN,
	} {
		pos, acc := accumulated(t, p, fen)
		sum := 0
		for i := range acc {
			for n, x := range acc[i] {
				x = min(max(x, 0), nnue.QA)
				sum += x * x * int(p.OutputWeights[i*16+n])
			}
		}
		s := nnue.NewStack(net, 0)
		s.Reset(&pos)
		if got, want := sum/nnue.QA*p.Scale/(nnue.QA*nnue.QB), int(s.Evaluate(&pos)); got != want {
			t.Errorf("%s: %d, want %d", fen, got, want)
		}
	}
}
