//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// metrics are what is sampled, in the order of the columns, with the growth of the
// median in a run that is not a failure. Memory varies with the time at which the
// collector runs and with the pages that the system gives and takes; numbers of
// mappings with how the system joins them. Goroutines and descriptors do not vary.
var metrics = []struct {
	name, unit string
	scale      float64 // of a unit
	slack      float64 // in units
}{
	{"goroutines", "", 1, 0},
	{"descriptors", "", 1, 0},
	{"mappings", "", 1, 32},
	{"heap", " MiB", 1 << 20, 1},
	{"resident", " MiB", 1 << 20, 16},
}

// sample is the state of the process at one time.
type sample struct {
	seconds float64 // since the start
	rounds  int
	values  []uint64 // as metrics
}

// settleTime is how long goroutines that are about to end, and the writer of the
// debug log, are given to do so.
const settleTime = 200 * time.Millisecond

// takeSample returns memory to the system and samples the process.
func takeSample() (s sample, err error) {
	time.Sleep(settleTime)
	debug.FreeOSMemory()
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return s, err
	}
	mappings, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return s, err
	}
	resident, err := residentPages()
	if err != nil {
		return s, err
	}
	s.values = []uint64{
		uint64(runtime.NumGoroutine()), uint64(len(descriptors)), uint64(bytes.Count(mappings, []byte("\n"))),
		heap.HeapAlloc, resident * uint64(os.Getpagesize()),
	}
	return s, nil
}

// residentPages returns how many pages of memory the process has.
func residentPages() (uint64, error) {
	const file = "/proc/self/statm"
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, fmt.Errorf("%s: no number of resident pages in %q", file, text)
	}
	return strconv.ParseUint(fields[1], 10, 64)
}

// header returns the first line of the file of samples.
func header() string {
	names := []string{"seconds", "rounds"}
	for _, m := range metrics {
		names = append(names, m.name)
	}
	return strings.Join(names, ",")
}

// String returns the sample as a line of the file; memory is in bytes.
func (s sample) String() string {
	line := fmt.Sprintf("%.1f,%d", s.seconds, s.rounds)
	for _, v := range s.values {
		line += "," + strconv.FormatUint(v, 10)
	}
	return line
}
