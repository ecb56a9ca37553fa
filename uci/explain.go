package uci

import (
	"fmt"
	"time"

	"skein/search"
)

// explain reports why the search ended and what resources it used, for debug.
func (d *Driver) explain(r *search.Result) {
	d.note("ended after %s by %v: depth %d, %d nodes, %d tablebase hits; time limits: soft %s, adapted %s, hard %s",
		milli(r.Elapsed), r.End, r.Depth, r.Nodes, r.TBHits,
		limit(r.Budget.Soft), limit(r.Budget.Adapted), limit(r.Budget.Hard))
	m := d.engine.Memory()
	program := ""
	if d.config.Describe != nil {
		program = ", " + d.config.Describe()
	}
	d.note("threads %d, permille in use: hash %d, quiet history %d, capture history %d, continuation history %d%s",
		d.settings.threads, m.Table, m.Quiet, m.Capture, m.Continuation, program)
}

func milli(t time.Duration) string { return fmt.Sprintf("%d ms", t.Milliseconds()) }

func limit(t time.Duration) string {
	if t == 0 {
		return "none"
	}
	return milli(t)
}
