package console

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"skein/internal/terminal"
)

// maxPlayers is the number of players in the summary of a review.
const maxPlayers = 20

// summary prints how the players did: to the standard output, or if the games are
// written there, to the terminal if there is one.
func (a *annotator) summary() error {
	out := a.Out
	if a.out == nil {
		out = a.Err
	}
	players := a.totals.Players()
	if len(players) == 0 || a.out == nil && !a.progress.screen.terminal {
		return nil
	}
	width := len("player")
	for _, p := range players[:min(len(players), maxPlayers)] {
		width = max(width, utf8.RuneCountInString(p.Player))
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%-*s  %5s  %5s  %8s  %9s  %4s  %4s  %4s\n", width, "player", "games", "moves", "accuracy",
		"avg. loss", "?!", "?", "??")
	for i, p := range players {
		if i == maxPlayers {
			fmt.Fprintf(&s, "and %d others\n", len(players)-maxPlayers)
			break
		}
		fmt.Fprintf(&s, "%-*s  %5d  %5d  %6.1f %%  %9.0f  %4d  %4d  %4d\n", width, p.Player, p.Games, p.Moves,
			p.Accuracy, p.Loss, p.Inaccuracies, p.Mistakes, p.Blunders)
	}
	_, err := io.WriteString(out, terminal.Printable(s.String()))
	return err
}
