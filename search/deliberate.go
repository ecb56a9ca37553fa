package search

import "skein/position"

// deliberate is iterate for limited play as people play. Only iterations that
// were completed count: scores of different depths are not comparable.
func (r *run) deliberate(w *worker) {
	if r.thought == nil {
		r.thought = new(thought)
	}
	t := r.thought
	t.begin(w, &r.level, r.limits.Strength.Seed)
	n := t.consider()
	for depth := 1; depth < thoughtPlies && (r.limits.Depth == 0 || depth <= r.limits.Depth); depth++ {
		w.rootDepth = depth
		t.root(n, depth, r.level.Bonus)
		if w.halted() {
			break
		}
		w.completed = depth
		w.keepLines()
		w.publish()
		r.reportLines(w)
		r.reportRefutations(w, false)
		if r.finished(w) {
			break
		}
	}
	if w.completed > 0 {
		for i := range w.complete {
			w.restore(i, &w.complete[i])
		}
	}
}

// adaptTo adapts l to p: a mate that the player knows how to give is searched by the human
// search, without mistakes and with enough nodes.
func (l *Level) adaptTo(p *position.Position) {
	if _, ok := technique(p, l.Elo); ok {
		l.Human, l.Oversight, l.Bonus = true, 0, 1
		l.Nodes = max(l.Nodes, techniqueNodes(l.Elo))
		l.Lines = 1
	}
}
