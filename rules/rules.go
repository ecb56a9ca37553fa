// Package rules determines when a game of chess is over and why, and replays
// games.
//
//	game := position.NewGame(position.Start())
//	for !rules.Ended(game).Over() {
//		moves := movegen.Legal(&game.Pos)
//		game.Play(moves[rand.IntN(len(moves))])
//	}
//	outcome := rules.Ended(game)
//	fmt.Println(outcome.Result, "by", outcome.Reason) // 1/2-1/2 by insufficient material
//
// The rules are the same for standard chess, Chess960 and double Fischer random.
//
// Checkmate, stalemate, insufficient material, fivefold repetition, and 75
// moves without a capture or pawn move end a game. Threefold repetition and
// fifty such moves only let a player claim a draw. [Ended] recognizes the
// former; [EndedOrClaimable] adds the latter, for programs that end a game as
// soon as a draw can be claimed, as is usual in engine matches. Clocks,
// resignations and draws by agreement are left to the caller.
//
// Ended and EndedOrClaimable allocate nothing. The error of [Replay] is a
// [*ReplayError].
//
// Source: FIDE, "Laws of Chess", 2023, articles 5, 9.2, 9.3 and 9.6.
package rules
