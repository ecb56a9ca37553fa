package uci_test

import (
	"context"
	"log"
	"os"
	"strings"

	"skein/nets"
	"skein/search"
	"skein/uci"
)

// A driver reads commands from any reader, here a list of them.
func Example() {
	net, err := nets.Load("")
	if err != nil {
		log.Fatal(err)
	}
	engine, err := search.New(net, search.Options{Threads: uci.DefaultThreads, Hash: uci.DefaultHash})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	commands := strings.NewReader("isready\nquit\n")
	if err := uci.New(engine, commands, os.Stdout, uci.Config{}).Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output: readyok
}
