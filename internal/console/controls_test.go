package console

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode"

	"skein/internal/cli"
)

// controls reports whether text has characters that control a terminal.
func controls(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) })
}

// TestControlCharacters has escape sequences wherever a file has text. None may be
// written to a terminal, and in messages none anywhere.
func TestControlCharacters(t *testing.T) {
	const escape = "\x1b[2J\x07\u009b31m\x7f"
	const epd = "7k/6pp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"" + escape + "\";\n" +
		"7k/6pp/8/8/8/8/8/K2R4 w - - bm Rd" + escape + "; id \"b\";\n" +
		"7k/6pp/8/8/8/8/8/K2R4 w - - bm #" + escape + ";\n" +
		"7k/6pp/8/8/8/8/8/K2R4 w - - dm " + escape + ";\n" +
		"7k/6pp/8/8/8/8/8/K2R4 w - - " + escape + " 1;\n" + escape + "\n"
	status, out, errs := run(context.Background(), epd, "epd", "--depth", "1", "-")
	if status != cli.ExitFailure || strings.Count(errs, "\n") != 5 || controls(out+errs) ||
		!strings.Contains(out, "?[2J?") {
		t.Errorf("epd: status %d, errors %q, output %q", status, errs, out)
	}
	const games = "[White \"" + escape + "\"]\n\n1. e4 {" + escape + "} *\n\n" +
		"[White \"A\"]\n[Variant \"" + escape + "\"]\n\n1. e4 *\n\n" +
		"[White \"A\"]\n[FEN \"" + escape + "\"]\n\n1. e4 *\n\n[White \"A\"]\n\n1. e4" + escape + " *\n"
	status, _, errs = run(context.Background(), games, "analyse", "--depth", "1", "--pgn", "-")
	if status != cli.ExitFailure || strings.Count(errs, "\n") != 3 || controls(errs) {
		t.Errorf("analyse: status %d, errors %q", status, errs)
	}
}

// TestControlCharactersOfGames writes games to a terminal and elsewhere.
func TestControlCharactersOfGames(t *testing.T) {
	const text = "[White \"\x1b[31m\"]\n"
	for _, terminal := range []bool{false, true} {
		var out bytes.Buffer
		c := call{Env: Env{Out: &out}, screen: screen{terminal: terminal}}
		if n, err := c.fromFiles().Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%d bytes written, %v", n, err)
		}
		if got := out.String(); controls(got) == terminal || !terminal && got != text {
			t.Errorf("terminal %v: %q", terminal, got)
		}
	}
}
