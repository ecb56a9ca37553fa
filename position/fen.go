package position

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"skein/chess"
	"skein/internal/invariant"
)

// StartFEN is the initial array of standard chess.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// FENError is an error in a field of a FEN, or in what several say together.
type FENError struct {
	// Field is "board", "side to move", "castling rights", "en passant square",
	// "halfmove clock" or "move number"; "fields" if there are too many of them;
	// "checks" if no last move can have given the checks that there are.
	Field  string
	Reason string
}

func (e *FENError) Error() string { return "FEN: " + e.Field + ": " + e.Reason }

func fenError(field, format string, args ...any) error {
	return &FENError{field, fmt.Sprintf(format, args...)}
}

// Names of the FEN fields in errors.
const (
	fieldBoard     = "board"
	fieldSide      = "side to move"
	fieldCastling  = "castling rights"
	fieldEnPassant = "en passant square"
	fieldHalfmoves = "halfmove clock"
	fieldFullmoves = "move number"
	fieldChecks    = "checks" // which follow from several fields
)

const (
	maxHalfmoves = 150
	maxFullmoves = 9999
)

// Start returns the initial position of standard chess.
func Start() Position {
	p, err := Parse(StartFEN, false)
	if err != nil {
		panic(err) // a constant
	}
	return p
}

// Parse reads a FEN: standard, X-FEN or Shredder-FEN, with fields separated
// by spaces, tabs and line ends. Missing fields at the end mean "w - - 0 1", a move
// number of 0 means 1. With chess960 castling rights may name any rook on either side
// of a king on its home rank; without, only the standard squares.
//
// Rejected are a side without exactly one king, with more than eight pawns or sixteen
// men, or with a pawn on the first or last rank; a check of the side not to move, and
// checks that no move can have given; castling rights without the king and rook for
// them, and an en-passant square that no double step explains; a halfmove clock above
// 150 and a move number above 9999. [ParseLenient] accepts all of them that have one
// king a side, and lowers such counters to the limits. Other positions that cannot
// arise, such as one with eight pawns and seven queens of a side, are accepted.
// The error is a *FENError, and the Position then the zero one.
//
// Source: Portable Game Notation Specification and Implementation Guide, 1994,
// section 16.1; R. Scharnagl and H. G. Muller, X-FEN; the draft of UCI of 2024,
// section 1.
func Parse(fen string, chess960 bool) (Position, error) {
	p, err := parseFields(fen, func(p *Position) fieldReaders {
		return fieldReaders{
			p.readBoard, p.readSide,
			func(s string) error { return p.readCastling(s, chess960) },
			p.readEnPassant, p.readHalfmoves, p.readFullmoves,
		}
	})
	if invariant.Enabled && err == nil {
		err := p.Validate()
		invariant.Check(err == nil, "position: read from %q: %v", fen, err)
	}
	return p, err
}

// ParseAny reads a FEN as Parse does, of standard chess or, if only its castling rights
// are not valid there, of Chess960, and reports which. The error is that for standard
// chess, or that for Chess960 if it is in a field after the castling rights.
func ParseAny(fen string) (p Position, chess960 bool, err error) {
	if p, err = Parse(fen, false); err == nil {
		return p, false, nil
	}
	other, otherErr := Parse(fen, true)
	if otherErr == nil {
		return other, true, nil
	}
	if e, ok := errors.AsType[*FENError](otherErr); ok && e.Field != fieldCastling {
		err = otherErr
	}
	return p, false, err
}

// fieldReaders read the fields of a FEN in order.
type fieldReaders [6]func(string) error

// parseFields reads the fields of a FEN, each with the reader for it that
// readers returns for the position to be read.
func parseFields(fen string, readers func(*Position) fieldReaders) (Position, error) {
	p := Position{enPassant: chess.NoSquare, fullmoves: 1}
	for i := range p.board {
		p.board[i] = chess.NoPiece
	}
	fields := strings.FieldsFunc(fen, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\r' || r == '\n'
	})
	if len(fields) == 0 {
		return Position{}, fenError(fieldBoard, "is missing")
	}
	if len(fields) > 6 {
		return Position{}, fenError("fields", "expected at most 6, found %d", len(fields))
	}
	defaults := [6]string{"", "w", "-", "-", "0", "1"}
	fields = append(fields, defaults[len(fields):]...)
	for i, read := range readers(&p) {
		if err := read(fields[i]); err != nil {
			return Position{}, err
		}
	}
	p.keys = p.fullKeys()
	return p, nil
}

// readBoard reads the men, no more than chess allows.
func (p *Position) readBoard(s string) error {
	if err := p.placeMen(s); err != nil {
		return err
	}
	if err := p.validateMen(); err != nil {
		return fenError(fieldBoard, "%v", err)
	}
	return nil
}

// placeMen reads any men, but one king a side.
func (p *Position) placeMen(s string) error {
	rows := strings.SplitN(s, "/", 9)
	if len(rows) != 8 {
		return fenError(fieldBoard, "expected 8 ranks, found %s", countOver(len(rows), 8))
	}
	for i, row := range rows {
		rank, file, digit := 7-i, 0, false
		for _, r := range row {
			switch {
			case r >= '1' && r <= '8':
				if digit {
					return fenError(fieldBoard, "rank %d: adjacent digits", rank+1)
				}
				digit = true
				file += int(r - '0')
			case r < 0x80 && chess.PieceOf(byte(r)) != chess.NoPiece:
				digit = false
				if file < 8 {
					p.put(chess.PieceOf(byte(r)), chess.MakeSquare(file, rank))
				}
				file++
			default:
				return fenError(fieldBoard, "rank %d: %q is neither a piece nor a digit from 1 to 8", rank+1, r)
			}
			if file > 8 {
				return fenError(fieldBoard, "rank %d: more than 8 squares", rank+1)
			}
		}
		if file < 8 {
			return fenError(fieldBoard, "rank %d: %d squares instead of 8", rank+1, file)
		}
	}
	if err := p.validateKings(); err != nil {
		return fenError(fieldBoard, "%v", err)
	}
	return nil
}

// countOver formats a count that was clamped above limit.
func countOver(n, limit int) string {
	if n > limit {
		return "more"
	}
	return strconv.Itoa(n)
}

// readSide reads the side to move, which must not be able to take the king.
func (p *Position) readSide(s string) error {
	if err := p.setSide(s); err != nil {
		return err
	}
	if err := p.validateTurn(); err != nil {
		return fenError(fieldSide, "%v", err)
	}
	return nil
}

// setSide reads the side to move, and finds checks and pins.
func (p *Position) setSide(s string) error {
	switch s {
	case "w":
		p.side = chess.White
	case "b":
		p.side = chess.Black
	default:
		return fenError(fieldSide, "%.40q is neither w nor b", s)
	}
	p.updateChecks()
	return nil
}

func (p *Position) readCastling(s string, chess960 bool) error {
	if s == "-" {
		return nil
	}
	// White's letters first, at most two a side.
	upper := strings.TrimRight(s, "abcdefghkq")
	if len(upper) > 2 || len(s)-len(upper) > 2 || strings.Trim(upper, "ABCDEFGHKQ") != "" {
		return fenError(fieldCastling, "%.40q is not of the form KQkq, HAha or -", s)
	}
	for _, letter := range []byte(s) {
		rook, err := p.castlingRookOf(letter, chess960)
		if err != nil {
			return err
		}
		p.castling |= rook.Bit()
	}
	if err := p.validateCastling(); err != nil {
		return fenError(fieldCastling, "%v", err)
	}
	return nil
}

// castlingRookOf returns the rook of a castling letter: upper case is White's.
// Without chess960 king and rook must be on the squares of standard chess.
func (p *Position) castlingRookOf(letter byte, chess960 bool) (chess.Square, error) {
	c := chess.White
	if letter >= 'a' {
		c = chess.Black
	}
	rook, err := p.castlingRook(c, letter&^0x20)
	if err != nil {
		return rook, err
	}
	if king := p.King(c); !chess960 && (king != chess.E1.Relative(c) || rook.File() != 0 && rook.File() != 7) {
		return rook, fenError(fieldCastling, "%c with king on %s and rook on %s is Chess960", letter, king, rook)
	}
	return rook, nil
}

// castlingRook returns the rook of an upper-case castling letter.
func (p *Position) castlingRook(c chess.Color, letter byte) (chess.Square, error) {
	king, home := p.King(c), chess.HomeRank(c)
	if !home.Has(king) {
		return 0, fenError(fieldCastling, "%s king on %s is not on its home rank", c, king)
	}
	rooks := p.PiecesOf(c, chess.Rook) & home
	right := rooks &^ (king.Bit() - 1)
	left := rooks & (king.Bit() - 1)
	switch letter {
	case 'K':
		rooks = right
	case 'Q':
		rooks = left
	default:
		rooks &= chess.FileBB(int(letter - 'A'))
	}
	if rooks == 0 {
		return 0, fenError(fieldCastling, "no %s rook for %c", c, letter)
	}
	if letter == 'K' {
		return rooks.Last(), nil
	}
	return rooks.First(), nil
}

// parseEnPassant parses an en-passant square, NoSquare if the text is "-".
func parseEnPassant(s string) (chess.Square, error) {
	if s == "-" {
		return chess.NoSquare, nil
	}
	square, ok := chess.SquareOf(s)
	if !ok {
		return chess.NoSquare, fenError(fieldEnPassant, "%.40q is not a square", s)
	}
	return square, nil
}

func (p *Position) readEnPassant(s string) error {
	enPassant, err := parseEnPassant(s)
	if err != nil {
		return err
	}
	var pushed chess.Square // the pawn that just moved, if any
	if enPassant != chess.NoSquare {
		if err := p.validateDoubleStep(enPassant); err != nil {
			return fenError(fieldEnPassant, "%v", err)
		}
		pushed = enPassant ^ 8
	}
	if err := p.checkCheckers(enPassant, pushed); err != nil {
		return err
	}
	if enPassant != chess.NoSquare {
		p.setEnPassant(enPassant)
	}
	return nil
}

// checkCheckers rejects checks that no last move can have given. enPassant is
// the square behind the pawn on pushed that just made a double step, or
// NoSquare.
func (p *Position) checkCheckers(enPassant, pushed chess.Square) error {
	checkers := p.checkers
	if checkers == 0 {
		return nil
	}
	king := p.King(p.side)
	if enPassant != chess.NoSquare {
		before := p.Occupied()&^pushed.Bit() | (enPassant ^ 24).Bit()
		attackers := p.AttackersTo(king, before) & p.Of(p.side.Other())
		if checkers != pushed.Bit() && attackers != 0 {
			return fenError(fieldChecks, "impossible check: the last move was a double step to %s", pushed)
		}
		return nil
	}
	if checkers.Count() > 2 {
		return fenError(fieldChecks, "impossible check by %d pieces", checkers.Count())
	}
	if !checkers.Many() {
		return nil
	}
	// One of two checkers was uncovered, so it is a slider.
	if a, b := checkers.First(), checkers.Last(); chess.Line(a, b).Has(king) ||
		checkers&(p.Pieces(chess.Pawn)|p.Pieces(chess.Knight)) == checkers {
		return fenError(fieldChecks, "impossible double check from %s and %s", a, b)
	}
	return nil
}

func (p *Position) readHalfmoves(s string) error {
	n, err := readCounter(fieldHalfmoves, s, maxHalfmoves)
	p.halfmoves = uint8(n)
	return err
}

func (p *Position) readFullmoves(s string) error {
	n, err := readCounter(fieldFullmoves, s, maxFullmoves)
	p.fullmoves = uint16(max(n, 1))
	return err
}

// readCounter parses an unsigned decimal number in 0..limit.
func readCounter(field, s string, limit int) (int, error) {
	digits, negative := strings.CutPrefix(s, "-")
	switch {
	case digits == "" || strings.Trim(digits, "0123456789") != "":
		return 0, fenError(field, "%.40q is not a number", s)
	case negative:
		return 0, fenError(field, "%.40s is negative", s)
	}
	n, err := strconv.Atoi(s)
	if err != nil || n > limit {
		return 0, fenError(field, "%.40s is more than %d", s, limit)
	}
	return n, nil
}

// FEN returns the position with castling rights as KQkq where that is
// unambiguous and as file letters otherwise (X-FEN), which is standard FEN for
// standard chess. The en-passant square is given only if a capture there is
// legal.
func (p Position) FEN() string { return p.fen(false) }

// ShredderFEN returns the position with castling rights as file letters.
func (p Position) ShredderFEN() string { return p.fen(true) }

func (p *Position) fen(shredder bool) string {
	b := AppendBoard(make([]byte, 0, 96), &p.board)
	b = append(b, ' ', "wb"[p.side], ' ')
	b = p.appendCastling(b, shredder)
	b = append(b, ' ')
	b = append(b, p.enPassant.String()...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.halfmoves), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(p.fullmoves), 10)
	return string(b)
}

// AppendBoard appends the first field of a FEN to b: the pieces on the squares of board,
// NoPiece on empty ones.
func AppendBoard(b []byte, board *[64]chess.Piece) []byte {
	for rank := 7; rank >= 0; rank-- {
		empty := byte('0')
		for _, piece := range board[rank*8 : rank*8+8] {
			if piece == chess.NoPiece {
				empty++
				continue
			}
			if empty > '0' {
				b = append(b, empty)
				empty = '0'
			}
			b = append(b, piece.Letter())
		}
		if empty > '0' {
			b = append(b, empty)
		}
		if rank > 0 {
			b = append(b, '/')
		}
	}
	return b
}

func (p *Position) appendCastling(b []byte, shredder bool) []byte {
	if p.castling == 0 {
		return append(b, '-')
	}
	for _, c := range []chess.Color{chess.White, chess.Black} {
		lower := byte(c) << 5
		king, rooks := p.King(c), p.CastlingRooks(c)
		for rooks != 0 {
			s := rooks.Last()
			rooks &^= s.Bit()
			letter := byte('Q')
			if s > king {
				letter = 'K'
			}
			if outermost, _ := p.castlingRook(c, letter); shredder || outermost != s {
				letter = 'A' + byte(s.File())
			}
			b = append(b, letter|lower)
		}
	}
	return b
}
