package nnue

// Network is a loaded network, read-only and shared by all threads.
type Network struct{}
