package notation

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"skein/chess"
	"skein/internal/input"
	"skein/position"
)

// EPD is a position with operations, a line of a test suite.
type EPD struct {
	Position   position.Position
	Operations []Operation
	LineNumber int // in the file, from 1; 0 from ParseEPD
}

// Operation is an opcode with operands, for example
//
//	bm     best moves                am      moves to avoid
//	id     name of the position      c0-c9   comments
//	ce     value in centipawns       dm      moves to mate
//	acd    depth of analysis         pv      predicted variation
//	hmvc   halfmove clock            fmvn    move number
//
// Quoted text is one operand.
type Operation struct {
	Code     string
	Operands []string
}

// EPDError is an error in a line.
type EPDError struct {
	Line   int // from 1; 0 from ParseEPD
	Reason string
	Err    error // a *position.FENError or *MoveError, or nil
}

func (e *EPDError) Error() string {
	if e.Line == 0 {
		return "EPD: " + e.Reason
	}
	return fmt.Sprintf("line %d: EPD: %s", e.Line, e.Reason)
}

func (e *EPDError) Unwrap() error { return e.Err }

func epdError(err error, format string, args ...any) *EPDError {
	return &EPDError{Reason: fmt.Sprintf(format, args...), Err: err}
}

// ParseEPD parses a line: the first four fields of a FEN, then operations, each
// followed by a semicolon. The two counters of a FEN may follow the four fields.
// The last semicolon may be missing, and so may one between moves and id. The
// counters, hmvc and fmvn become part of the position and not operations. Line
// breaks count as spaces. With chess960, castling rights may name any rook.
// Positions are limited as by [position.Parse]. Moves are parsed by [EPD.Moves] and
// [EPD.Line] only. The error is an *EPDError.
func ParseEPD(line string, chess960 bool) (EPD, error) {
	fields, rest := cutFields(lineBreaks.Replace(line), 4)
	if len(fields) < 4 {
		return EPD{}, epdError(nil, "a position has 4 fields, here are %d", len(fields))
	}
	clocks := [2]string{"0", "1"}
	if more, after := cutFields(rest, 2); len(more) == 2 && isNumber(more[0]) && isNumber(more[1]) {
		clocks, rest = [2]string{more[0], more[1]}, after
	}
	var e EPD
	for rest = strings.TrimLeft(rest, blanks); rest != ""; rest = strings.TrimLeft(rest, blanks+";") {
		var op Operation
		var err error
		if op, rest, err = cutOperation(rest); err != nil {
			return EPD{}, err
		}
		switch {
		case op.Code == "":
		case op.Code == "hmvc" || op.Code == "fmvn":
			n := strings.Join(op.Operands, " ")
			if !isNumber(n) {
				return EPD{}, epdError(nil, "the counter %s is %.40q and not a number", op.Code, n)
			}
			if op.Code == "hmvc" {
				clocks[0] = n
			} else {
				clocks[1] = n
			}
		default:
			e.Operations = append(e.Operations, op)
		}
	}
	p, err := position.Parse(strings.Join(append(fields, clocks[:]...), " "), chess960)
	if err != nil {
		return EPD{}, epdError(err, "%v", err)
	}
	e.Position = p
	return e, nil
}

// cutFields cuts off up to n fields separated by spaces, up to one with a
// semicolon.
func cutFields(s string, n int) (fields []string, rest string) {
	rest = s
	for len(fields) < n {
		trimmed := strings.TrimLeft(rest, blanks)
		i := strings.IndexAny(trimmed, blanks+";")
		if i < 0 {
			i = len(trimmed)
		}
		if i == 0 {
			break
		}
		fields = append(fields, trimmed[:i])
		rest = trimmed[i:]
	}
	return fields, rest
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// cutOperation cuts off an operation up to its semicolon, outside quotes.
func cutOperation(s string) (op Operation, rest string, err error) {
	for {
		s = strings.TrimLeft(s, blanks)
		if s == "" || s[0] == ';' {
			return op, strings.TrimPrefix(s, ";"), nil
		}
		if s[0] == '"' {
			end := strings.IndexByte(s[1:], '"')
			if end < 0 {
				return op, "", epdError(nil, "the quotes in operation %.40q are not closed", op.Code)
			}
			if op.Code == "" {
				return op, "", epdError(nil, "%.40q stands where the name of an operation should", s[:end+2])
			}
			op.Operands = append(op.Operands, s[1:end+1])
			s = s[end+2:]
			continue
		}
		i := strings.IndexAny(s, blanks+`;"`)
		if i < 0 {
			i = len(s)
		}
		if s[:i] == "id" && (op.Code == "bm" || op.Code == "am") {
			return op, s, nil
		}
		if op.Code == "" {
			if op.Code = s[:i]; !isOpcode(op.Code) {
				return op, "", epdError(nil, "%.40q is not the name of an operation", op.Code)
			}
			op.Code = strings.TrimSuffix(op.Code, ":")
		} else {
			op.Operands = append(op.Operands, s[:i])
		}
		s = s[i:]
	}
}

// isOpcode reports whether s is a letter and then letters, digits and
// underscores. Some suites add a colon.
func isOpcode(s string) bool {
	s = strings.TrimSuffix(s, ":")
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// wrong returns an error about the line of e.
func (e *EPD) wrong(err error, format string, args ...any) error {
	fault := epdError(err, format, args...)
	fault.Line = e.LineNumber
	return fault
}

// Operands returns the operands of the operation, and whether there is one.
func (e *EPD) Operands(code string) ([]string, bool) {
	for i := range e.Operations {
		if e.Operations[i].Code == code {
			return e.Operations[i].Operands, true
		}
	}
	return nil, false
}

// Text returns the operands of the operation separated by spaces, "" if there
// are none.
func (e *EPD) Text(code string) string {
	operands, _ := e.Operands(code)
	return strings.Join(operands, " ")
}

// Int returns the operand of an operation such as ce and dm as a number. It is 0
// and false if there is no such operation. It is an error if the operand is not a
// number, an *EPDError.
func (e *EPD) Int(code string) (n int, ok bool, err error) {
	operands, ok := e.Operands(code)
	if !ok {
		return 0, false, nil
	}
	if len(operands) == 1 {
		if n, err = strconv.Atoi(operands[0]); err == nil {
			return n, true, nil
		}
	}
	return 0, true, e.wrong(nil, "%s %.40q is not a number", code, e.Text(code))
}

// Moves returns the operands, in SAN or UCI notation, of an operation such as bm
// and am as legal moves of the position, none if there is no such operation. The
// error is an *EPDError that wraps a *MoveError.
func (e *EPD) Moves(code string) ([]chess.Move, error) {
	operands, _ := e.Operands(code)
	moves := make([]chess.Move, 0, len(operands))
	for _, text := range operands {
		m, err := ParseSAN(&e.Position, strings.TrimRight(text, ","))
		if err != nil {
			return nil, e.wrong(err, "%s: %v", code, err)
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// Line returns the operands of an operation such as pv as a sequence of moves.
// The error is an *EPDError that wraps a *MoveError.
func (e *EPD) Line(code string) ([]chess.Move, error) {
	operands, _ := e.Operands(code)
	moves := make([]chess.Move, 0, len(operands))
	at := e.Position
	for i, text := range operands {
		m, err := ParseSAN(&at, strings.TrimRight(text, ","))
		if err != nil {
			return nil, e.wrong(err, "%s: ply %d: %v", code, i+1, err)
		}
		at = at.After(m)
		moves = append(moves, m)
	}
	return moves, nil
}

// Set sets the operands of an operation, which is appended if it is new. The code must
// be a letter, then letters, digits and underscores, and neither hmvc nor fmvn, which
// String writes from the position.
func (e *EPD) Set(code string, operands ...string) {
	for i := range e.Operations {
		if e.Operations[i].Code == code {
			e.Operations[i].Operands = operands
			return
		}
	}
	e.Operations = append(e.Operations, Operation{code, operands})
}

// String returns the line. Counters other than 0 and 1 become hmvc and fmvn.
// Operands of id and of comments are quoted, and others if necessary; quotes in
// them become apostrophes, and line breaks spaces. ParseEPD refuses the line of a
// position that [position.Parse] refuses.
func (e EPD) String() string {
	var sb strings.Builder
	fields := strings.Fields(e.Position.FEN())
	sb.WriteString(strings.Join(fields[:4], " "))
	if n := e.Position.Halfmoves(); n != 0 {
		fmt.Fprintf(&sb, " hmvc %d;", n)
	}
	if n := e.Position.Fullmoves(); n != 1 {
		fmt.Fprintf(&sb, " fmvn %d;", n)
	}
	for _, op := range e.Operations {
		sb.WriteString(" " + op.Code)
		text := op.Code == "id" || len(op.Code) == 2 && op.Code[0] == 'c' && isNumber(op.Code[1:])
		for _, operand := range op.Operands {
			sb.WriteByte(' ')
			if text || operand == "" || operand == "id" || strings.ContainsAny(operand, blanks+"\n;\"") {
				operand = `"` + strings.ReplaceAll(lineBreaks.Replace(operand), `"`, "'") + `"`
			}
			sb.WriteString(operand)
		}
		sb.WriteByte(';')
	}
	return sb.String()
}

var lineBreaks = strings.NewReplacer("\n", " ", "\r", " ")

// ReadEPD iterates over the lines of a file, each with its error, an *EPDError
// with the line number; a line of more than a mebibyte is invalid. It skips empty
// lines and those that begin with #. A read error comes last.
func ReadEPD(r io.Reader, chess960 bool) iter.Seq2[EPD, error] {
	return func(yield func(EPD, error) bool) {
		n := 0
		for line, err := range input.Lines(r) {
			n++
			var e EPD
			switch {
			case err == input.ErrTooLong:
				err = epdError(nil, "the line is %v", err)
			case err != nil:
				err = fmt.Errorf("line %d: %w", n, err)
			default:
				line = strings.TrimRight(strings.TrimPrefix(line, input.ByteOrderMark), blanks+"\x00")
				if line == "" || line[0] == '#' {
					continue
				}
				e, err = ParseEPD(line, chess960)
				e.LineNumber = n
			}
			if epdErr, ok := errors.AsType[*EPDError](err); ok {
				epdErr.Line = n
			}
			if !yield(e, err) {
				return
			}
		}
	}
}
