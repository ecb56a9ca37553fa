package simd

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// variable is the environment variable that forces a level.
const variable = "SKEIN_SIMD"

// generic is the level that every machine supports.
const generic = "generic"

var (
	level    string
	levelErr error
)

func init() {
	level, levelErr = choose(os.Getenv(variable), supported())
	use(level)
}

// Level returns the name of the level in use: generic, avx2, avx512 or neon.
func Level() string { return level }

// Err returns an error if the level that SKEIN_SIMD names is unknown or not
// supported. The generic kernels are then in use.
func Err() error { return levelErr }

// choose returns the level to use: asked, or if that is empty the last of have,
// the levels that this machine supports.
func choose(asked string, have []string) (string, error) {
	switch {
	case asked == "":
		return have[len(have)-1], nil
	case slices.Contains(have, asked):
		return asked, nil
	case slices.Contains([]string{"avx2", "avx512", "neon"}, asked):
		return generic, fmt.Errorf("%s=%s: not supported by this processor and build, which have: %s",
			variable, asked, strings.Join(have, ", "))
	}
	return generic, fmt.Errorf("%s=%q is not one of generic, avx2, avx512, neon", variable, asked)
}
