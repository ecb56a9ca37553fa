// Package notation reads and writes the text formats of chess: moves in the long
// algebraic notation of UCI and in Standard Algebraic Notation (SAN), games in
// Portable Game Notation (PGN), and positions with operations in Extended
// Position Description (EPD).
//
//	for g, err := range notation.NewReader(file).All() {
//		if err != nil {
//			log.Print(err) // game 7, line 12, column 4: move "Ke3": illegal: ...
//			continue
//		}
//		fmt.Println(g.Tags.Get("White"), notation.FormatLine(&g.Start, g.Moves()))
//	}
//	p := position.Start()
//	m, err := notation.ParseSAN(&p, "Nf3")
//	fmt.Println(notation.FormatUCI(m, false)) // g1f3
//
// Reading is liberal and writing strict. Every move that this package returns is
// legal, in standard chess and in Chess960. Null moves occur in games only, as
// chess.NoMove; a side in check may not pass.
//
//   - Moves: [ParseUCI], [FormatUCI]; [ParseSAN], [FormatSAN], [FormatLine]
//   - Games: [NewReader] and [Reader.Read], or [Reader.All] in a range loop;
//     [NewWriter] and [Writer.Write]
//   - Scores and clocks in comments: [ParseEval], [FormatEval]; [ParseClock], [FormatClock]
//   - Positions: [ParseEPD], [ReadEPD], [EPD.String]
//
// Errors are of the types [*MoveError], [*PGNError] and [*EPDError]; those about
// files give the location. Errors of an underlying reader or writer are returned as
// they are or with the number of the line. Parsing a move allocates nothing but its
// error, and appending to a buffer with enough room nothing at all.
//
// Source: S. J. Edwards, "Portable Game Notation Specification and
// Implementation Guide", 1994, which also holds SAN and EPD.
package notation
