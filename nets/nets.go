// Package nets holds the network that is embedded in the engine. README.md in
// this folder describes how it was trained.
//
//	net, err := nets.Load("") // the embedded one
//	if err != nil {
//		return err
//	}
//	stack := nnue.NewStack(net, 0)
//	p := position.Start()
//	stack.Reset(&p)
//	fmt.Println(net.Name(), stack.Evaluate(&p).Centipawns())
package nets

import (
	"bytes"
	_ "embed"

	"skein/nnue"
)

// Default is the embedded network file. It must not be changed.
//
//go:embed default.nnue
var Default []byte

// Load reads a network file; "" is the embedded one.
func Load(name string) (*nnue.Network, error) {
	if name == "" {
		return nnue.Read(bytes.NewReader(Default))
	}
	return nnue.LoadFile(name)
}
