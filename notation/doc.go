// Package notation is how people and programs write chess down: moves in the
// long algebraic notation of UCI and in Standard Algebraic Notation (SAN),
// games in Portable Game Notation (PGN), and positions with remarks in
// Extended Position Description (EPD).
//
// Reading is liberal and writing strict. What is read is checked against the
// rules: every move that comes out of this package is legal, in standard chess
// and in Chess960 alike.
//
//   - Moves: [ParseUCI], [FormatUCI]; [ParseSAN], [FormatSAN], [FormatLine]
//   - Games: [NewReader] and [Reader.Read], or [Reader.All] in a range loop;
//     [NewWriter] and [Writer.Write]
//   - Positions: [ParseEPD], [ReadEPD], [EPD.String]
//
// Errors are of the types [*MoveError], [*PGNError] and [*EPDError]; those of
// files name the place.
//
// Source: S. J. Edwards, "Portable Game Notation Specification and
// Implementation Guide", 1994, which also holds SAN and EPD.
package notation
