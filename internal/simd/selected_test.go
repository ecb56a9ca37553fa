//go:build !purego && (amd64 || arm64)

package simd

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestSelected checks that the best level of this machine is selected.
func TestSelected(t *testing.T) {
	if forced := os.Getenv(variable); forced != "" {
		t.Skipf("%s=%s", variable, forced)
	}
	want := generic
	switch {
	case runtime.GOARCH == "arm64":
		want = "neon" // required by Go
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasFMA:
		want = "avx512"
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		want = "avx2"
	}
	if Level() != want || Err() != nil {
		t.Errorf("level %s instead of %s, error %v", Level(), want, Err())
	}
}
