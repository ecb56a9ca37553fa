//go:build !tune

package main

import "errors"

var errFixed = errors.New("the parameters of the search are fixed in this program; build it with -tags tune")

func tunables() ([]parameter, error) { return nil, errFixed }

func setter([]string) (func([]int), error) { return nil, errFixed }
