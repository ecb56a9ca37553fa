// Package rules determines when a game of chess is over and why, and replays
// games. The rules are the same for standard chess, Chess960 and double Fischer
// random.
//
// Checkmate, stalemate, insufficient material, fivefold repetition, and 75
// moves without a capture or pawn move end a game. Threefold repetition and
// fifty such moves only let a player claim a draw. [Ended] recognizes the
// former; [EndedOrClaimable] adds the latter, for programs that end a game as
// soon as a draw can be claimed, as is usual in engine matches.
//
// Source: FIDE, "Laws of Chess", 2023, articles 5, 9.2, 9.3 and 9.6.
package rules
