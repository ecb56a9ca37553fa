package inspect

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/chess"
	"skein/nnue"
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
	activity, err := MeasureActivity(t.Context(), net, data, 100)
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

// TestActivityLimit measures no more positions than the limit, however large that is.
func TestActivityLimit(t *testing.T) {
	data := filepath.Join(t.TempDir(), "x.epd")
	if err := os.WriteFile(data, []byte(strings.Repeat("1k6/8/8/8/8/8/P7/1K6 w - -\n", 3)), 0o666); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]string{1: "in 1 positions", 2: "in 2 positions", math.MaxInt: "in 3 positions"} {
		activity, err := MeasureActivity(t.Context(), made(t), data, limit)
		if err != nil || !strings.Contains(activity.String(), want) {
			t.Errorf("limit %d: %v, error %v", limit, activity, err)
		}
	}
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
	if _, never, always := deadNeurons(p); never != 14 || always != 0 {
		t.Errorf("%d neurons never active and %d always clipped, want 14 and none", never, always)
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
		_, err := MeasureActivity(t.Context(), made(t), name, 100)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
