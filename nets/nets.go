// Package nets holds the network that is built into the engine. README.md in
// this folder tells how it was made.
package nets

import _ "embed"

// Default is the embedded network file.
//
//go:embed default.nnue
var Default []byte
