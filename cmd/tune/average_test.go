package main

import (
	"path/filepath"
	"strings"
	"testing"

	"skein/nets"
	"skein/nnue"
)

// TestAverage averages three networks whose weights differ by known amounts.
func TestAverage(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	const embedded = "../../nets/default.nnue"
	old, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	// variant writes the embedded network with some weights changed.
	variant := func(name string, change func(p *nnue.Parameters)) string {
		p := nnue.NewParameters(old.Architecture())
		copy(p.FeatureWeights, old.Parameters().FeatureWeights)
		copy(p.FeatureBias, old.Parameters().FeatureBias)
		copy(p.OutputWeights, old.Parameters().OutputWeights)
		copy(p.OutputBias, old.Parameters().OutputBias)
		p.Name = name
		change(p)
		net, err := nnue.New(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := writeNet(file(name), net); err != nil {
			t.Fatal(err)
		}
		return file(name)
	}
	const feature, output = 1000, 3
	a := variant("a.nnue", func(p *nnue.Parameters) {
		p.FeatureWeights[feature] += 3
		p.OutputBias[output] -= 300
	})
	b := variant("b.nnue", func(p *nnue.Parameters) {
		p.FeatureWeights[feature] += 2
		p.FeatureBias[1] += 6
	})
	must(t, "average", "-o", file("mean.nnue"), "--name", "mean", embedded, a, b)
	mean, err := nnue.LoadFile(file("mean.nnue"))
	if err != nil {
		t.Fatal(err)
	}
	got, want := mean.Parameters(), old.Parameters()
	if d := got.FeatureWeights[feature] - want.FeatureWeights[feature]; d != 2 { // 5/3
		t.Errorf("a feature weight changed by %d", d)
	}
	if d := got.FeatureBias[1] - want.FeatureBias[1]; d != 2 {
		t.Errorf("a feature bias changed by %d", d)
	}
	if d := got.OutputBias[output] - want.OutputBias[output]; d != -100 {
		t.Errorf("an output bias changed by %d", d)
	}
	if got.FeatureWeights[0] != want.FeatureWeights[0] || got.OutputWeights[7] != want.OutputWeights[7] {
		t.Error("weights changed that are the same in all networks")
	}
	c := variant("c.nnue", func(p *nnue.Parameters) { p.FeatureWeights[0]++; p.FeatureWeights[1]-- })
	must(t, "average", "-o", file("half.nnue"), embedded, c)
	half, err := nnue.LoadFile(file("half.nnue"))
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range half.Parameters().FeatureWeights[:2] {
		if d := w - want.FeatureWeights[i]; w%2 != 0 || d*d > 1 {
			t.Errorf("weight %d is %d between %d and its neighbor", i, w, want.FeatureWeights[i])
		}
	}
	text, ok := strings.CutPrefix(mean.Description(), strings.TrimRight(old.Description(), "\n"))
	if mean.Name() != "mean" || !ok || !strings.Contains(text, old.Hash()+", a.nnue ") {
		t.Errorf("%q: %q", mean.Name(), mean.Description())
	}
}

// TestAverageErrors checks the errors of networks that cannot be averaged.
func TestAverageErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	const embedded = "../../nets/default.nnue"
	must(t, "seed", "-o", file("seed.nnue"))
	must(t, "normalise", "-o", file("scaled.nnue"), "--center", "200", embedded)
	a := nnue.Architecture{Width: 64, KingBuckets: 1, OutputBuckets: 1, Scale: 600, Layers: [2]int{16, 32}}
	head, err := nnue.New(nnue.NewParameters(a))
	if err != nil {
		t.Fatal(err)
	}
	if err := writeNet(file("head.nnue"), head); err != nil {
		t.Fatal(err)
	}
	fails(t, "-o FILE", "average", embedded, embedded)
	fails(t, "two networks", "average", "-o", file("x.nnue"), embedded)
	fails(t, "none.nnue", "average", "-o", file("x.nnue"), embedded, "none.nnue")
	fails(t, "gen0, (768x1hm -> 64)x2 -> 1x1, and ", "average", "-o", file("x.nnue"), embedded, file("seed.nnue"))
	fails(t, "average networks before", "average", "-o", file("x.nnue"), embedded, file("scaled.nnue"))
	fails(t, "head", "average", "-o", file("x.nnue"), file("head.nnue"), file("head.nnue"))
	fails(t, "also an input", "average", "-o", file("seed.nnue"), embedded, file("seed.nnue"))
}
