package position

import (
	"strconv"
	"strings"

	"skein/chess"
	"skein/internal/invariant"
)

// ParseLenient reads a FEN like Parse, but refuses only what cannot be searched:
// malformed fields, and boards without exactly one king a side. It accepts
// positions that cannot arise, with any number of men, pawns on the first and
// last rank, impossible checks, adjacent kings, or the side not to move in
// check, whose king is never taken.
//
// Castling rights without the king and rook for them are dropped, without
// chess960 also those of Chess960, and so is an en-passant square that no double
// step of a pawn explains. Counters above the limits of Parse are set to these. The
// error is a *FENError.
func ParseLenient(fen string, chess960 bool) (Position, error) {
	p, err := parseFields(fen, func(p *Position) fieldReaders {
		return fieldReaders{
			p.placeMen, p.setSideLeniently,
			func(s string) error { return p.readFittingCastling(s, chess960) },
			p.readEnPassantLeniently,
			func(s string) error { return p.readHalfmoves(clampCounter(s, maxHalfmoves)) },
			func(s string) error { return p.readFullmoves(clampCounter(s, maxFullmoves)) },
		}
	})
	if invariant.Enabled && err == nil {
		err := p.validateState()
		invariant.Check(err == nil, "position: read leniently from %q: %v", fen, err)
	}
	return p, err
}

// setSideLeniently reads the side to move. A king that is next to the other one
// gives check like any piece: only a king's move ends that.
func (p *Position) setSideLeniently(s string) error {
	if err := p.setSide(s); err != nil {
		return err
	}
	p.checkers |= chess.KingAttacks(p.King(p.side)) & p.PiecesOf(p.side.Other(), chess.King)
	return nil
}

// readFittingCastling reads letters of castling rights in any order, and keeps
// the rights that fit the board.
func (p *Position) readFittingCastling(s string, chess960 bool) error {
	if s == "-" {
		return nil
	}
	if strings.Trim(s, "ABCDEFGHKQabcdefghkq") != "" {
		return fenError(fieldCastling, "%.40q is not of the form KQkq, HAha or -", s)
	}
	for _, letter := range []byte(s) {
		rook, err := p.castlingRookOf(letter, chess960)
		if err != nil {
			continue
		}
		before := p.castling
		p.castling |= rook.Bit()
		if p.validateCastling() != nil {
			p.castling = before
		}
	}
	return nil
}

// readEnPassantLeniently reads the en-passant square.
func (p *Position) readEnPassantLeniently(s string) error {
	square, err := parseEnPassant(s)
	if err == nil && square != chess.NoSquare && p.validateDoubleStep(square) == nil {
		p.setEnPassant(square)
	}
	return err
}

// clampCounter returns limit in place of a larger number, and other text as it
// is.
func clampCounter(s string, limit int) string {
	if strings.Trim(s, "0123456789") == "" {
		if n, err := strconv.Atoi(s); err != nil || n > limit {
			return strconv.Itoa(limit)
		}
	}
	return s
}
