package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"skein/internal/cli"
	"skein/internal/selfplay"
)

// bounds is a flag: the two differences in Elo that a sequential probability ratio
// test tells apart.
type bounds struct {
	low, high float64
	given     bool
}

// String returns the flag's value.
func (b *bounds) String() string {
	if !b.given {
		return ""
	}
	return fmt.Sprintf("%g,%g", b.low, b.high)
}

// Type describes the flag's value.
func (b *bounds) Type() string { return "bounds" }

// Set reads LOW,HIGH.
func (b *bounds) Set(text string) error {
	low, high, _ := strings.Cut(text, ",")
	var errs [2]error
	b.low, errs[0] = strconv.ParseFloat(low, 64)
	b.high, errs[1] = strconv.ParseFloat(high, 64)
	if errors.Join(errs[:]...) != nil || !(b.low < b.high) || math.IsInf(b.high-b.low, 1) {
		return errors.New("expected two differences in Elo, such as 0,5")
	}
	b.given = true
	return nil
}

// clock is the flags of a clock of nodes.
type clock struct {
	text string
	node time.Duration
}

// define adds the flags.
func (c *clock) define(flags *cli.Flags) {
	flags.StringVar(&c.text, "clock", "",
		"play on a clock of `TIME+INCREMENT`, such as 2s+20ms, on which every node takes --node-time")
	flags.DurationVar(&c.node, "node-time", 1500*time.Nanosecond, "`time` of a node for --clock")
}

// set sets the clock of games, if one was given, in place of a limit of nodes.
func (c *clock) set(config *selfplay.Config, flags *cli.Flags) (err error) {
	if c.text == "" {
		return cli.Useless(flags, "without --clock", "node-time")
	}
	if err := cli.Useless(flags, "with --clock", "nodes", "soft"); err != nil {
		return err
	}
	config.SoftNodes, config.HardNodes = 0, 0
	config.Clock, err = selfplay.ParseClock(c.text, c.node)
	return err
}
