package notation

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"skein/chess"
)

// Command returns the operand of the first command of a name in a comment, such as
// "Gd5,Rf6" for "csl" in [%csl Gd5,Rf6], and whether there is one.
func Command(comment, name string) (operand string, ok bool) {
	name = "[%" + name
	for {
		if _, comment, ok = strings.Cut(comment, name); !ok {
			return "", false
		}
		if strings.HasPrefix(comment, " ") || strings.HasPrefix(comment, "\t") {
			break // and not only the beginning of a longer name
		}
	}
	if operand, _, ok = strings.Cut(comment, "]"); !ok {
		return "", false
	}
	return strings.TrimSpace(operand), true
}

// WithoutCommands returns a comment without commands such as [%clk 0:09:58], its words
// separated by single spaces.
func WithoutCommands(comment string) string {
	var words []string
	for {
		text, rest, found := strings.Cut(comment, "[%")
		words = append(words, strings.Fields(text)...)
		if !found {
			return strings.Join(words, " ")
		}
		_, after, closed := strings.Cut(rest, "]")
		if !closed {
			return strings.Join(append(words, strings.Fields("[%"+rest)...), " ")
		}
		comment = after
	}
}

// ParseEval returns the score of the first command %eval of a comment, such as
// [%eval 0.35] or [%eval #-3,20], where a depth follows, and whether there is a valid
// one. The score is from White's view, of whole centipawns. Side is the side to move
// after the move, which is the one that is mated by #0, and whose own mates take a ply
// less. A whole number before a depth, [%eval 23,14], is not valid: ChessBase writes
// centipawns so, from either side's view.
func ParseEval(comment string, side chess.Color) (s chess.Score, ok bool) {
	text, ok := Command(comment, "eval")
	if !ok {
		return 0, false
	}
	text, depth, _ := strings.Cut(text, ",")
	if depth != "" && !strings.ContainsAny(text, ".#") {
		return 0, false
	}
	if end := strings.IndexAny(text, " \t"); end >= 0 {
		text = text[:end]
	}
	s, ok = ParseScore(text)
	moves, mate := s.Mate()
	switch {
	case !mate || side == chess.White && moves != 0:
	case side == chess.White:
		s = chess.MatedIn(0)
	case moves < 0: // by Black, who is to move
		s = chess.MatedIn(-2*moves - 1)
	default:
		s = chess.MateIn(2 * moves)
	}
	return s, ok
}

// FormatEval returns a score from White's view as a command for comments: [%eval 0.35],
// or [%eval #-3] for a mate in three moves by Black. A table win becomes 100 pawns.
func FormatEval(s chess.Score) string {
	if moves, mate := s.Mate(); mate {
		return fmt.Sprintf("[%%eval #%d]", moves)
	}
	const tableWin = 100
	switch {
	case s.IsWin():
		return fmt.Sprintf("[%%eval %d.00]", tableWin)
	case s.IsLoss():
		return fmt.Sprintf("[%%eval -%d.00]", tableWin)
	}
	return fmt.Sprintf("[%%eval %.2f]", float64(s.Centipawns())/100)
}

// ParseScore parses a score as comments have it: pawns, such as +0.35, or moves to mate
// behind #, such as #3, and #-3 or -#3 for the side that is mated, in plies as if the side
// whose score it is were to move. What is beyond chess.MaxEval becomes that; mates of more
// than chess.MaxPly plies are not valid.
func ParseScore(text string) (s chess.Score, ok bool) {
	text = strings.TrimPrefix(text, "+")
	if moves, mate := strings.CutPrefix(strings.Replace(text, "-#", "#-", 1), "#"); mate {
		n, err := strconv.Atoi(moves)
		switch {
		case err != nil || n < -chess.MaxPly/2 || n > chess.MaxPly/2:
			return 0, false
		case strings.HasPrefix(moves, "-"):
			return chess.MatedIn(-2 * n), true
		}
		return chess.MateIn(max(2*n-1, 0)), true
	}
	pawns, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "-.0123456789") != "" {
		return 0, false // ParseFloat accepts Inf and 1.e4, too
	}
	const most = 1000 // pawns
	return chess.Centipawns(math.Round(100 * min(max(pawns, -most), most))).Score(), true
}

// ParseClock returns the time of the first command %clk of a comment, such as
// [%clk 0:09:58.1], and whether there is a valid one: hours, minutes and seconds that the
// player has left after the move.
func ParseClock(comment string) (left time.Duration, ok bool) {
	text, _ := Command(comment, "clk")
	hours, rest, _ := strings.Cut(text, ":")
	minutes, seconds, _ := strings.Cut(rest, ":")
	h, hoursErr := strconv.ParseUint(hours, 10, 16)
	m, minutesErr := strconv.ParseUint(minutes, 10, 16)
	if hoursErr != nil || minutesErr != nil || strings.Trim(seconds, "0123456789.") != "" {
		return 0, false
	}
	s, err := strconv.ParseFloat(seconds, 64)
	if err != nil || s >= math.MaxUint16 {
		return 0, false
	}
	left = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	return left + time.Duration(math.Round(s*1000))*time.Millisecond, true
}

// FormatClock returns a time left, at least 0, as a command for comments: [%clk 0:09:58], or
// with tenths of a second if it is not one of whole seconds.
func FormatClock(left time.Duration) string {
	tenths := max(left, 0).Round(time.Second/10) / (time.Second / 10)
	seconds := tenths / 10
	text := fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	if tenths %= 10; tenths > 0 {
		text += fmt.Sprintf(".%d", tenths)
	}
	return "[%clk " + text + "]"
}
