// Package nets holds the network that is embedded in the engine. README.md in
// this folder describes how it was trained.
package nets

import _ "embed"

// Default is the embedded network file.
//
//go:embed default.nnue
var Default []byte
