// Package notation reads and writes the text formats of chess: moves in the long
// algebraic notation of UCI and in Standard Algebraic Notation (SAN), games in
// Portable Game Notation (PGN), and positions with operations in Extended
// Position Description (EPD).
//
// Reading is liberal and writing strict. Every move that this package returns is
// legal, in standard chess and in Chess960.
//
//   - Moves: [ParseUCI], [FormatUCI]; [ParseSAN], [FormatSAN], [FormatLine]
//   - Games: [NewReader] and [Reader.Read], or [Reader.All] in a range loop;
//     [NewWriter] and [Writer.Write]
//   - Positions: [ParseEPD], [ReadEPD], [EPD.String]
//
// Errors are of the types [*MoveError], [*PGNError] and [*EPDError]; those about
// files give the location.
//
// Source: S. J. Edwards, "Portable Game Notation Specification and
// Implementation Guide", 1994, which also holds SAN and EPD.
package notation
