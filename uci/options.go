package uci

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"skein/search"
	"skein/syzygy"
)

// settings are the options that concern the driver itself.
type settings struct {
	threads      int
	multiPV      int
	moveOverhead time.Duration
	chess960     bool
	showWDL      bool
	currLines    bool // report the lines being searched
	refutations  bool // report the replies to moves that are not best
	analyse      bool // no book, full strength
	ownBook      bool

	limitStrength bool
	elo, skill    int // elo takes precedence if limitStrength is set
	strengthSeed  int // 0 draws one for every search
	pace          bool
}

// Defaults of options.
const (
	defaultMultiPV      = 1
	defaultMoveOverhead = 10 // milliseconds
	defaultProbeDepth   = 1
	defaultElo          = 1320 // that of Stockfish's lowest level
)

func defaultSettings() settings {
	return settings{
		threads: DefaultThreads, multiPV: defaultMultiPV, moveOverhead: defaultMoveOverhead * time.Millisecond,
		elo: defaultElo, skill: search.FullSkill,
	}
}

// MaxHash is the largest size of the transposition table in MiB: 32 TiB.
const MaxHash = 32 << 20

const maxMoveOverhead = 5000 // milliseconds

// emptyString is how UCI writes the empty value of a string option.
const emptyString = "<empty>"

// optionKind is the type of an option as UCI names it.
type optionKind string

const (
	check       optionKind = "check"
	spin        optionKind = "spin"
	button      optionKind = "button"
	stringValue optionKind = "string"
)

// option is an entry of the table that uci lists and setoption uses.
type option struct {
	name     string
	kind     optionKind
	initial  string // "" for a button
	min, max int    // of a spin
	apply    func(value) error
	urgent   bool // applied by the reader at once, even during a search
}

// value is a new value of an option; which field is set depends on its kind.
type value struct {
	number int
	on     bool
	text   string
}

// optionTable returns all options in the order in which uci lists them.
func (d *Driver) optionTable() []option {
	options := []option{
		{name: "Debug Log File", kind: stringValue, initial: emptyString, urgent: true,
			apply: func(v value) error { return d.out.openLog(v.text) }},
		{name: "Threads", kind: spin, initial: strconv.Itoa(DefaultThreads), min: 1, max: search.MaxThreads,
			apply: d.setThreads},
		{name: "Hash", kind: spin, initial: strconv.Itoa(DefaultHash), min: 1, max: MaxHash,
			apply: func(v value) error { return d.engine.SetHash(v.number) }},
		{name: "Clear Hash", kind: button, apply: func(value) error { d.engine.ClearHash(); return nil }},
		{name: "Ponder", kind: check, initial: "false", apply: accept},
		{name: "MultiPV", kind: spin, initial: strconv.Itoa(defaultMultiPV), min: 1, max: search.MaxMultiPV,
			apply: func(v value) error { d.settings.multiPV = v.number; return nil }},
		{name: "Move Overhead", kind: spin, initial: strconv.Itoa(defaultMoveOverhead), min: 0, max: maxMoveOverhead,
			apply: d.setMoveOverhead},
		{name: "UCI_Chess960", kind: check, initial: "false", apply: toggle(&d.settings.chess960)},
		{name: "UCI_ShowWDL", kind: check, initial: "false", apply: toggle(&d.settings.showWDL)},
		{name: "UCI_ShowCurrLine", kind: check, initial: "false", apply: toggle(&d.settings.currLines)},
		{name: "UCI_ShowRefutations", kind: check, initial: "false", apply: toggle(&d.settings.refutations)},
		{name: "UCI_AnalyseMode", kind: check, initial: "false",
			apply: d.setStrength(func(s *settings, v value) { s.analyse = v.on })},
		{name: "UCI_Opponent", kind: stringValue, initial: emptyString, apply: accept},
		{name: "UCI_EngineAbout", kind: stringValue, initial: Name + " " + d.config.Version, apply: accept},
		{name: "UCI_LimitStrength", kind: check, initial: "false",
			apply: d.setStrength(func(s *settings, v value) { s.limitStrength = v.on })},
		{name: "UCI_Elo", kind: spin, initial: strconv.Itoa(defaultElo), min: search.MinElo, max: search.MaxElo,
			apply: d.setStrength(func(s *settings, v value) { s.elo = v.number })},
		{name: "Skill Level", kind: spin, initial: strconv.Itoa(search.FullSkill), min: 0, max: search.FullSkill,
			apply: d.setStrength(func(s *settings, v value) { s.skill = v.number })},
		{name: "Strength Seed", kind: spin, initial: "0", min: 0, max: math.MaxInt32,
			apply: func(v value) error { d.settings.strengthSeed = v.number; return nil }},
		{name: "Human Pace", kind: check, initial: "false", apply: toggle(&d.settings.pace)},
		{name: "OwnBook", kind: check, initial: "false", apply: toggle(&d.settings.ownBook)},
		{name: "BookFile", kind: stringValue, initial: emptyString, apply: d.setBookFile},
		{name: "EvalFile", kind: stringValue, initial: emptyString, apply: d.setEvalFile},
		{name: "SyzygyPath", kind: stringValue, initial: emptyString, apply: d.setSyzygyPath},
		{name: "SyzygyProbeDepth", kind: spin, initial: strconv.Itoa(defaultProbeDepth), min: 1, max: 100,
			apply: func(v value) error { d.tablebase.ProbeDepth = v.number; return d.setTablebase() }},
		{name: "Syzygy50MoveRule", kind: check, initial: "true",
			apply: func(v value) error { d.tablebase.FiftyMoves = v.on; return d.setTablebase() }},
		{name: "SyzygyProbeLimit", kind: spin, initial: strconv.Itoa(syzygy.MaxMen), min: 0, max: syzygy.MaxMen,
			apply: func(v value) error { d.tablebase.ProbeLimit = v.number; return d.setTablebase() }},
	}
	for _, t := range d.config.Tunables {
		options = append(options, option{
			name: t.Name, kind: spin, initial: strconv.Itoa(t.Value), min: t.Min, max: t.Max,
			apply: func(v value) error { t.Set(v.number); return nil },
		})
	}
	return options
}

// toggle returns the setter of an option that turns a setting on and off.
func toggle(setting *bool) func(value) error {
	return func(v value) error { *setting = v.on; return nil }
}

// accept is the setter of options without effect.
func accept(value) error { return nil }

func (d *Driver) setThreads(v value) error {
	if err := d.engine.SetThreads(v.number); err != nil {
		return err
	}
	d.settings.threads = v.number
	reserveProcessors(v.number)
	return nil
}

func (d *Driver) setMoveOverhead(v value) error {
	d.settings.moveOverhead = time.Duration(v.number) * time.Millisecond
	return nil
}

// playingElo returns the rating to play at, 0 for the full strength.
func (s *settings) playingElo() int {
	switch {
	case s.analyse:
		return 0
	case s.limitStrength:
		return s.elo
	}
	return search.SkillElo(s.skill)
}

// setStrength returns the setter of an option of the playing strength. It
// clears the table when the rating changes, because a weaker player must not use
// the results of a stronger one.
func (d *Driver) setStrength(set func(*settings, value)) func(value) error {
	return func(v value) error {
		before := d.settings.playingElo()
		set(&d.settings, v)
		if elo := d.settings.playingElo(); elo != before {
			d.engine.NewGame()
		}
		return nil
	}
}

func (d *Driver) setEvalFile(v value) error {
	if d.config.LoadNet == nil {
		return errors.New("this program has only one network")
	}
	err := d.config.LoadNet(v.text)
	if err == nil {
		d.described = false
	}
	return err
}

// String returns the line about the option in the reply to uci.
func (o *option) String() string {
	s := fmt.Sprintf("option name %s type %s", o.name, o.kind)
	if o.kind != button {
		s += " default " + o.initial
	}
	if o.kind == spin {
		s += fmt.Sprintf(" min %d max %d", o.min, o.max)
	}
	return s
}

// setOption runs setoption. Names are not case-sensitive; a value keeps the
// spaces inside it.
func (d *Driver) setOption(j *job) error {
	name, text, err := splitOption(j.args)
	if err != nil {
		return fmt.Errorf("setoption: %w", err)
	}
	o := d.option(name)
	if o == nil {
		return fmt.Errorf("setoption: unknown option %s", quote(name))
	}
	v, err := d.readValue(o, text)
	if err == nil {
		err = o.apply(v)
	}
	if err != nil {
		return fmt.Errorf("option %s: %w", o.name, err)
	}
	return nil
}

// option returns the option of that name, nil if there is none.
func (d *Driver) option(name string) *option {
	i := slices.IndexFunc(d.options, func(o option) bool { return strings.EqualFold(o.name, name) })
	if i < 0 {
		return nil
	}
	return &d.options[i]
}

// splitOption parses "name N [value V]". Without a value text is empty.
func splitOption(args string) (name, text string, err error) {
	word, rest := cutWord(args)
	if word != "name" {
		return "", "", fmt.Errorf("expected name, found %s", quote(word))
	}
	var words []string
	for rest != "" {
		if word, rest = cutWord(rest); word == "value" {
			text = rest
			break
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return "", "", errors.New("missing option name")
	}
	return strings.Join(words, " "), text, nil
}

// readValue parses a value of the option's kind. Numbers out of range are
// clamped, which is reported.
func (d *Driver) readValue(o *option, text string) (v value, err error) {
	switch o.kind {
	case check:
		switch strings.ToLower(text) {
		case "true":
			v.on = true
		case "false":
		default:
			return v, fmt.Errorf("expected true or false, found %s", quote(text))
		}
	case spin:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return v, fmt.Errorf("expected a number, found %s", quote(text))
		}
		v.number = int(min(max(n, int64(o.min)), int64(o.max)))
		if int64(v.number) != n {
			d.note("option %s: %s is out of range, using %d", o.name, quote(text), v.number)
		}
	case stringValue:
		if text != emptyString {
			v.text = text
		}
	}
	return v, nil
}
