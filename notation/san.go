package notation

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// ParseSAN parses a move in Standard Algebraic Notation and returns it if it is
// the only legal move of p that matches the text.
//
// Beyond the standard it accepts castling with zeros, in lower case (0-0, o-o) or with
// dashes, more squares than needed (Ng1f3), long algebraic notation with or without
// hyphen (Ng1-f3, e2e4), UCI text, figurines (♘f3), the letter P for pawns, captures
// without x or with a colon (e:d5) and x without a capture, promotions without =, with /,
// in parentheses or in lower case (e8Q, e8/Q, e8(Q), e8=q), the suffixes ep and e.p., and
// any check, mate and annotation marks (+, #, !, ?), right or wrong. The error is a
// *MoveError.
func ParseSAN(p *position.Position, s string) (chess.Move, error) {
	m, fault, reason := parseSAN(p, []byte(s))
	if m == chess.NoMove {
		return m, moveError(s, fault, "%s", reason)
	}
	return m, nil
}

// sanText is the parsed text of a move.
type sanText struct {
	piece      chess.PieceType
	from       chess.Bitboard // the squares that agree with file and rank
	file, rank bool           // whether they are given
	letter     bool           // whether the piece is named
	to         chess.Square
	promotion  chess.PieceType // NoPieceType if none, Pawn and King if nonsense
	enPassant  bool            // whether the suffix is there
}

// parseSAN is ParseSAN without allocation. If the move is NoMove the other
// results are the error.
func parseSAN(p *position.Position, s []byte) (m chess.Move, f Fault, reason string) {
	body, enPassant := trimSuffixes(s)
	m, f, reason = parseBody(p, body, enPassant)
	var letters [24]byte
	if m == chess.NoMove && f == Malformed && len(body) <= len(letters) {
		if plain := appendPlain(letters[:0], body); !bytes.Equal(plain, body) {
			return parseBody(p, plain, enPassant)
		}
	}
	return m, f, reason
}

// appendPlain appends a move to b, with the signs of SAN for those that others write.
func appendPlain(b, move []byte) []byte {
	for len(move) > 0 {
		c, n := utf8.DecodeRune(move)
		switch {
		case c >= '♔' && c <= '♟':
			b = append(b, "KQRBNP"[(c-'♔')%6])
		case c == ':' || c == '×':
			b = append(b, 'x')
		case c == '–' || c == '−' || c == '\u2011': // the last is a hyphen
			b = append(b, '-')
		case c == 'o':
			b = append(b, 'O')
		case c == '(' && move[len(move)-1] == ')':
			b, move = append(b, '='), move[:len(move)-1]
		default:
			b = append(b, move[:n]...)
		}
		move = move[n:]
	}
	return b
}

// parseBody parses a move without suffixes.
func parseBody(p *position.Position, body []byte, enPassant bool) (m chess.Move, f Fault, reason string) {
	if side := castlingSide(body); side != 0 && !enPassant {
		return castle(p, side > 0)
	}
	var t sanText
	if reason = t.split(body); reason != "" {
		return chess.NoMove, Malformed, reason
	}
	t.enPassant = enPassant
	if t.file && t.rank && !t.letter {
		return t.squares(p)
	}
	return t.resolve(p)
}

// trimSuffixes drops what follows the move itself and reports whether that
// names an en-passant capture.
func trimSuffixes(s []byte) (body []byte, enPassant bool) {
	for len(s) > 0 {
		switch c := s[len(s)-1]; {
		case c == '+' || c == '#' || c == '!' || c == '?':
			s = s[:len(s)-1]
			continue
		case c != 'p' && c != '.' || enPassant:
			return s, enPassant
		}
		for _, suffix := range []string{"e.p.", "e.p", "ep"} {
			if len(s) > len(suffix) && string(s[len(s)-len(suffix):]) == suffix {
				s, enPassant = bytes.TrimSuffix(s[:len(s)-len(suffix)], []byte(" ")), true
				break
			}
		}
		if !enPassant {
			break
		}
	}
	return s, enPassant
}

// castlingSide returns 1 for O-O, -1 for O-O-O and 0 for anything else.
func castlingSide(s []byte) int {
	switch string(s) {
	case "O-O", "0-0":
		return 1
	case "O-O-O", "0-0-0":
		return -1
	}
	return 0
}

func castle(p *position.Position, kingSide bool) (chess.Move, Fault, string) {
	us := p.SideToMove()
	king := p.King(us)
	for rooks := p.CastlingRooks(us); rooks != 0; {
		rook := rooks.Pop()
		if rook > king != kingSide {
			continue
		}
		if m := chess.NewCastling(king, rook); movegen.IsLegal(p, m) {
			return m, 0, ""
		}
		return chess.NoMove, Illegal, castlingPrevented
	}
	return chess.NoMove, Illegal, "no right to castle there"
}

const notSAN = "not of the form e4, Nf3, exd5, e8=Q or O-O"

// split parses a move other than castling; reason describes an error.
func (t *sanText) split(s []byte) (reason string) {
	*t = sanText{from: chess.All, promotion: chess.NoPieceType}
	if len(s) > 0 && s[0] <= 'Z' {
		if t.piece = chess.PieceTypeOf(s[0]); t.piece == chess.NoPieceType {
			return notSAN
		}
		t.letter = true
		s = s[1:]
	}
	if n := len(s); n > 2 && s[n-1] > '9' {
		if t.promotion = chess.PieceTypeOf(s[n-1]); t.promotion == chess.NoPieceType {
			return notSAN
		}
		s = s[:n-1]
		if s[n-2] == '=' || s[n-2] == '/' {
			s = s[:n-2]
		}
	}
	n := len(s)
	if n < 2 || !isFile(s[n-2]) || !isRank(s[n-1]) {
		return notSAN
	}
	t.to = chess.MakeSquare(int(s[n-2]-'a'), int(s[n-1]-'1'))
	s = s[:n-2]
	if n := len(s); n > 0 && (s[n-1] == 'x' || s[n-1] == '-') {
		s = s[:n-1]
	}
	if len(s) > 0 && isFile(s[0]) {
		t.file = true
		t.from &= chess.FileBB(int(s[0] - 'a'))
		s = s[1:]
	}
	if len(s) > 0 && isRank(s[0]) {
		t.rank = true
		t.from &= chess.RankBB(int(s[0] - '1'))
		s = s[1:]
	}
	if len(s) > 0 {
		return notSAN
	}
	return ""
}

func isFile(c byte) bool { return c >= 'a' && c <= 'h' }

func isRank(c byte) bool { return c >= '1' && c <= '8' }

const noEnPassant = "it is not a capture en passant"

// squares reads a move that names both of its squares but no piece, as UCI
// does.
func (t *sanText) squares(p *position.Position) (chess.Move, Fault, string) {
	from := t.from.First()
	if !p.Of(p.SideToMove()).Has(from) {
		return chess.NoMove, Illegal, "no piece of the side to move stands there"
	}
	if reason := t.checkPromotion(p.At(from).Type()); reason != "" {
		return chess.NoMove, Illegal, reason
	}
	m := moveOf(p, from, t.to, t.promotion)
	switch {
	case !movegen.IsLegal(p, m):
		return chess.NoMove, Illegal, whyIllegal(p, m)
	case t.enPassant && !m.IsEnPassant():
		return chess.NoMove, Illegal, noEnPassant
	}
	return m, 0, ""
}

// checkPromotion returns the error in the promotion of a piece of the type.
func (t *sanText) checkPromotion(piece chess.PieceType) string {
	last := lastRanks.Has(t.to)
	switch {
	case t.promotion == chess.NoPieceType && (piece != chess.Pawn || !last):
		return ""
	case t.promotion == chess.NoPieceType:
		return "the promotion is missing"
	case piece != chess.Pawn || !last:
		return onlyPawnsPromote
	case t.promotion == chess.Pawn || t.promotion == chess.King:
		return "no pawn is promoted to that"
	}
	return ""
}

// resolve finds the pieces that can make the move.
func (t *sanText) resolve(p *position.Position) (chess.Move, Fault, string) {
	if reason := t.checkPromotion(t.piece); reason != "" {
		return chess.NoMove, Illegal, reason
	}
	if p.Of(p.SideToMove()).Has(t.to) {
		return chess.NoMove, Illegal, "the square is occupied by the same side"
	}
	found, reason := chess.NoMove, "no such piece can move there"
	for origins := t.origins(p); origins != 0; {
		from := origins.Pop()
		m := chess.NewMove(from, t.to)
		if t.piece == chess.Pawn {
			m = moveOf(p, from, t.to, t.promotion)
		}
		if !movegen.IsLegal(p, m) {
			if reaches(p, from, t.to) {
				reason = whyIllegal(p, m)
			}
			continue
		}
		if found != chess.NoMove {
			return chess.NoMove, Ambiguous, "more than one such piece can move there"
		}
		found = m
	}
	switch {
	case found != chess.NoMove && t.enPassant && !found.IsEnPassant():
		return chess.NoMove, Illegal, noEnPassant
	case found != chess.NoMove:
		return found, 0, ""
	}
	return chess.NoMove, Illegal, reason
}

// origins returns the squares from which such a piece reaches the target,
// legality aside.
func (t *sanText) origins(p *position.Position) chess.Bitboard {
	us := p.SideToMove()
	ours := p.PiecesOf(us, t.piece) & t.from
	if t.piece != chess.Pawn {
		return ours & chess.Attacks(t.piece, t.to, p.Occupied())
	}
	behind := chess.FileBB(t.to.File())
	if !t.file {
		return ours & behind // a capture names its file
	}
	return ours & (behind | chess.PawnAttacks(us.Other(), t.to))
}

// FormatSAN returns m, which must be legal in p, in Standard Algebraic Notation:
// with the origin only as far as needed to distinguish m from other legal moves
// (file before rank), + for check and # for mate. NoMove, a null move, is "--".
func FormatSAN(p *position.Position, m chess.Move) string {
	return string(AppendSAN(make([]byte, 0, 8), p, m))
}

// AppendSAN appends to b what FormatSAN returns.
func AppendSAN(b []byte, p *position.Position, m chess.Move) []byte {
	var next position.Position
	return appendSAN(b, p, m, &next)
}

// appendSAN is AppendSAN that stores the position after the move in next.
func appendSAN(b []byte, p *position.Position, m chess.Move, next *position.Position) []byte {
	if m == chess.NoMove {
		p.DoNull(next)
		return append(b, "--"...)
	}
	var d position.Delta
	p.Do(m, next, &d)
	b = appendBody(b, p, m)
	if !next.InCheck() {
		return b
	}
	if movegen.Count(next) == 0 {
		return append(b, '#')
	}
	return append(b, '+')
}

// appendBody writes the move without check marks.
func appendBody(b []byte, p *position.Position, m chess.Move) []byte {
	from, to := m.From(), m.To()
	piece := p.At(from).Type()
	switch {
	case m.IsCastling() && to > from:
		return append(b, "O-O"...)
	case m.IsCastling():
		return append(b, "O-O-O"...)
	case piece != chess.Pawn:
		b = append(b, chess.MakePiece(chess.White, piece).Letter())
		b = appendOrigin(b, p, from, to, piece)
	case p.IsCapture(m):
		b = append(b, 'a'+byte(from.File()))
	}
	if p.IsCapture(m) {
		b = append(b, 'x')
	}
	b = appendSquare(b, to)
	if m.IsPromotion() {
		b = append(b, '=', chess.MakePiece(chess.White, m.Promotion()).Letter())
	}
	return b
}

// appendOrigin writes as much of from as tells the piece, no pawn, from others
// of its type that can legally go to the same square.
func appendOrigin(b []byte, p *position.Position, from, to chess.Square, piece chess.PieceType) []byte {
	others := p.PiecesOf(p.SideToMove(), piece) & chess.Attacks(piece, to, p.Occupied()) &^ from.Bit()
	var rivals chess.Bitboard
	for others != 0 {
		if s := others.Pop(); movegen.IsLegal(p, chess.NewMove(s, to)) {
			rivals |= s.Bit()
		}
	}
	switch {
	case rivals == 0:
		return b
	case rivals&chess.FileBB(from.File()) == 0:
		return append(b, 'a'+byte(from.File()))
	case rivals&chess.RankBB(from.Rank()) == 0:
		return append(b, '1'+byte(from.Rank()))
	}
	return appendSquare(b, from)
}

// FormatLine returns a sequence of moves from p with move numbers, as in
// "12. Nf3 Nc6" or "12... Nc6 13. Bb5". Each must be legal after the ones before.
func FormatLine(p *position.Position, moves []chess.Move) string {
	return string(AppendLine(nil, p, moves))
}

// AppendLine appends to b what FormatLine returns.
func AppendLine(b []byte, p *position.Position, moves []chess.Move) []byte {
	at := *p
	for i, m := range moves {
		if i > 0 {
			b = append(b, ' ')
		}
		if i == 0 || at.SideToMove() == chess.White {
			b = append(appendNumber(b, &at), ' ')
		}
		var next position.Position
		b = appendSAN(b, &at, m, &next)
		at = next
	}
	return b
}

// appendNumber writes the number of the move to be played: "12." or "12...".
func appendNumber(b []byte, p *position.Position) []byte {
	b = strconv.AppendInt(b, int64(p.Fullmoves()), 10)
	if p.SideToMove() == chess.White {
		return append(b, '.')
	}
	return append(b, "..."...)
}
