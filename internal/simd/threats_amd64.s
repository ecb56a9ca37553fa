//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// LANES defines a vector of four words, one for each direction.
#define LANES(name, a, b, c, d) \
	DATA name<>+0(SB)/8, a  \
	DATA name<>+8(SB)/8, b  \
	DATA name<>+16(SB)/8, c \
	DATA name<>+24(SB)/8, d \
	GLOBL name<>(SB), RODATA|NOPTR, $32

// LANES8 defines one of eight: steps to the left, and the same to the right.
#define LANES8(name, a, b, c, d, e, f, g, h) \
	DATA name<>+0(SB)/8, a  \
	DATA name<>+8(SB)/8, b  \
	DATA name<>+16(SB)/8, c \
	DATA name<>+24(SB)/8, d \
	DATA name<>+32(SB)/8, e \
	DATA name<>+40(SB)/8, f \
	DATA name<>+48(SB)/8, g \
	DATA name<>+56(SB)/8, h \
	GLOBL name<>(SB), RODATA|NOPTR, $64

// Attacks of sliders are filled by Kogge-Stone: each lane of a vector is one
// direction, in which sets of squares are shifted to the left or to the right by
// 7 or 9, along diagonals, or by 1 or 8. The masks have the squares that such a step
// can reach. AVX-512 rotates instead, to the left, and the masks also leave out the
// ranks on the other side of the board.
//
// Source: S. Edwards, "Kogge-Stone algorithm" in the Chess Programming Wiki,
// after P. Kogge, H. Stone, 1973.
LANES(sliderShifts, $7, $9, $1, $8)
LANES(sliderShifts2, $14, $18, $2, $16)
LANES(sliderShifts4, $28, $36, $4, $32)
LANES(sliderLeft, $0x7f7f7f7f7f7f7f7f, $0xfefefefefefefefe, $0xfefefefefefefefe, $0xffffffffffffffff)
LANES(sliderRight, $0xfefefefefefefefe, $0x7f7f7f7f7f7f7f7f, $0x7f7f7f7f7f7f7f7f, $0xffffffffffffffff)
LANES8(sliderTurns, $7, $9, $1, $8, $57, $55, $63, $56)
LANES8(sliderTurns2, $14, $18, $2, $16, $50, $46, $62, $48)
LANES8(sliderTurns4, $28, $36, $4, $32, $36, $28, $60, $32)
LANES8(sliderSteps, $0x7f7f7f7f7f7f7f00, $0xfefefefefefefe00, $0xfefefefefefefefe, $0xffffffffffffff00, $0x00fefefefefefefe, $0x007f7f7f7f7f7f7f, $0x7f7f7f7f7f7f7f7f, $0x00ffffffffffffff)

// Those of knights are 6, 10, 15 and 17.
LANES(knightShifts, $6, $10, $15, $17)
LANES(knightLeft, $0x3f3f3f3f3f3f3f3f, $0xfcfcfcfcfcfcfcfc, $0x7f7f7f7f7f7f7f7f, $0xfefefefefefefefe)
LANES(knightRight, $0xfcfcfcfcfcfcfcfc, $0x3f3f3f3f3f3f3f3f, $0xfefefefefefefefe, $0x7f7f7f7f7f7f7f7f)
LANES8(knightTurns, $6, $10, $15, $17, $58, $54, $49, $47)
LANES8(knightSteps, $0x3f3f3f3f3f3f3f00, $0xfcfcfcfcfcfcfc00, $0x7f7f7f7f7f7f0000, $0xfefefefefefe0000, $0x00fcfcfcfcfcfcfc, $0x003f3f3f3f3f3f3f, $0x0000fefefefefefe, $0x00007f7f7f7f7f7f)

// The stack frame: pairs of sets, first that of White. They are what each color
// attacks by its pieces, by its king, by its king as a queen, and by knight's moves
// from its king and queens; the squares that are such a move from two of its rooks,
// queens and king; the men alone between its king and a slider; pawns; and what
// queens attack on diagonals and lines together.
#define BISHOPS        0
#define ROOKS          16
#define QUEENDIAGONALS 32
#define QUEENLINES     48
#define KINGDIAGONALS  64
#define KINGLINES      80
#define KNIGHTS        96
#define KINGS          112
#define KINGJUMPS      128
#define QUEENJUMPS     144
#define FORKS          160
#define PINS           176
#define PAWNS          192
#define ALLQUEENS      208

// With AVX2 also vectors by direction, to the left and, behind, to the right: the
// empty squares, those where two and four in a row are, and by color what sliders
// attack.
#define EMPTY1        224
#define EMPTY2        288
#define EMPTY4        352
#define SLIDERS(color) (416+(color)*64)

// The types of men at SI and the colors at DX.
#define KNIGHT 8
#define BISHOP 16
#define ROOK   24
#define QUEEN  32
#define KING   40
#define WHITE  0
#define BLACK  8

// SLIDE sets to to what sliders on from attack: from spreads over empty squares by
// one step, two and four, and then by one more.
#define SLIDE(SHIFT, from, to, tmp, side, mask) \
	SHIFT sliderShifts<>(SB), from, to \
	VPAND (EMPTY1+side)(SP), to, to    \
	VPOR  from, to, to                 \
	SHIFT sliderShifts2<>(SB), to, tmp \
	VPAND (EMPTY2+side)(SP), tmp, tmp  \
	VPOR  tmp, to, to                  \
	SHIFT sliderShifts4<>(SB), to, tmp \
	VPAND (EMPTY4+side)(SP), tmp, tmp  \
	VPOR  tmp, to, to                  \
	SHIFT sliderShifts<>(SB), to, to   \
	VPAND mask<>(SB), to, to

// FILL sets Y13 and Y15 to what the sliders in Y12 attack to the left and to the
// right, by direction.
#define FILL \
	SLIDE(VPSLLVQ, Y12, Y13, Y14, 0, sliderLeft)   \
	SLIDE(VPSRLVQ, Y12, Y15, Y14, 32, sliderRight)

// STEP sets Y13 and Y14 to the moves from Y12 to the left and to the right.
#define STEP(shifts, onLeft, onRight) \
	VPSLLVQ shifts<>(SB), Y12, Y13  \
	VPSRLVQ shifts<>(SB), Y12, Y14  \
	VPAND   onLeft<>(SB), Y13, Y13  \
	VPAND   onRight<>(SB), Y14, Y14

// MEN sets Y12 to the men of a type and color.
#define MEN(type, color) \
	VPBROADCASTQ type(SI), Y12  \
	VPBROADCASTQ color(DX), Y15 \
	VPAND        Y15, Y12, Y12

// BOTH sets Y13 to the union of the first and second lanes of two vectors, of White and
// Black, and that of the third and fourth.
#define BOTH(white, black) \
	VPUNPCKLQDQ black, white, Y13 \
	VPUNPCKHQDQ black, white, Y14 \
	VPOR        Y14, Y13, Y13

// UNITE stores the union of the halves of Y13.
#define UNITE(pair) \
	VEXTRACTI128 $1, Y13, X14    \
	VPOR         X14, X13, X13   \
	VMOVDQU      X13, (pair)(SP)

// ONE stores the union of all lanes of both.
#define ONE(white, black, pair) \
	BOTH(white, black) \
	UNITE(pair)

// STEPS stores the moves of one type of men.
#define STEPS(type, shifts, onLeft, onRight, pair) \
	MEN(type, WHITE)               \
	STEP(shifts, onLeft, onRight)  \
	VPOR         Y14, Y13, Y1      \
	MEN(type, BLACK)               \
	STEP(shifts, onLeft, onRight)  \
	VPOR         Y14, Y13, Y2      \
	ONE(Y1, Y2, pair)

// MEET sets X15 to the squares in both halves of Y13 or in either half of Y15.
#define MEET \
	VEXTRACTI128 $1, Y13, X14  \
	VPAND        X13, X14, X14 \
	VEXTRACTI128 $1, Y15, X13  \
	VPOR         X13, X15, X15 \
	VPOR         X14, X15, X15

// SEVERAL sets X15 to the squares in two or more lanes of White and of Black, given
// those in either half of the lanes and those in both halves.
#define SEVERAL(white, whites, black, blacks) \
	VPUNPCKLQDQ  blacks, whites, Y15  \
	VPUNPCKHQDQ  blacks, whites, Y14  \
	VPOR         Y14, Y15, Y15        \
	VPUNPCKLQDQ  black, white, Y13    \
	VPUNPCKHQDQ  black, white, Y14    \
	VPAND        Y13, Y14, Y12        \
	VPOR         Y12, Y15, Y15        \
	VPOR         Y14, Y13, Y13        \
	MEET

// RAYS is FILL; it also sets of to what they attack in both directions of a line.
#define RAYS(of) \
	FILL               \
	VPOR Y15, Y13, of

// The same with AVX-512, all directions in one vector. Z16 to Z19 are the turns by one
// step, two and four and the mask of a step, Z20 to Z22 the empty squares, and Z23 and
// Z24 turns and mask of knights. FILL8 replaces sliders in x by what they attack.
#define FILL8(x, tmp) \
	VPROLVQ    Z16, x, tmp          \
	VPTERNLOGQ $0xf8, Z20, tmp, x   \
	VPROLVQ    Z17, x, tmp          \
	VPTERNLOGQ $0xf8, Z21, tmp, x   \
	VPROLVQ    Z18, x, tmp          \
	VPTERNLOGQ $0xf8, Z22, tmp, x   \
	VPROLVQ    Z16, x, x            \
	VPANDQ     Z19, x, x

// BOTH8 sets Y13 to the union of the diagonals of two vectors, of White and Black, and
// that of their lines.
#define BOTH8(white, black) \
	VPUNPCKLQDQ   black, white, Z13 \
	VPUNPCKHQDQ   black, white, Z14 \
	VPORQ         Z14, Z13, Z13     \
	VEXTRACTI64X4 $1, Z13, Y14      \
	VPOR          Y14, Y13, Y13

// ONE8 stores the union of all lanes of both.
#define ONE8(white, black, pair) \
	BOTH8(white, black) \
	UNITE(pair)

// STEPS8 stores the moves from white and black.
#define STEPS8(turns, mask, white, black, pair) \
	VPROLVQ turns, white, Z11 \
	VPROLVQ turns, black, Z12 \
	VPANDQ  mask, Z11, Z11    \
	VPANDQ  mask, Z12, Z12    \
	ONE8(Z11, Z12, pair)

// SEVERAL8 sets X15 to the squares in two or more lanes of White and of Black.
#define SEVERAL8(white, black) \
	VPUNPCKLQDQ   black, white, Z13 \
	VPUNPCKHQDQ   black, white, Z14 \
	VPANDQ        Z13, Z14, Z15     \
	VPORQ         Z13, Z14, Z13     \
	VEXTRACTI64X4 $1, Z13, Y14      \
	VEXTRACTI64X4 $1, Z15, Y12      \
	VPOR          Y12, Y15, Y15     \
	VPAND         Y13, Y14, Y12     \
	VPOR          Y12, Y15, Y15     \
	VPOR          Y14, Y13, Y13     \
	MEET

// From here on a vector has a set of each color: first that of White.

// FLIP turns the board of Black, so that its pawns move to the left, too.
DATA flip<>+0(SB)/8, $0x0706050403020100
DATA flip<>+8(SB)/8, $0x08090a0b0c0d0e0f
GLOBL flip<>(SB), RODATA|NOPTR, $16

#define FLIP(x) VPSHUFB flip<>(SB), x, x

// SETS defines a set of squares, the same for both colors.
#define SETS(name, set) \
	DATA name<>+0(SB)/8, set \
	DATA name<>+8(SB)/8, set \
	GLOBL name<>(SB), RODATA|NOPTR, $16

SETS(notFileA, $0xfefefefefefefefe)
SETS(notFileH, $0x7f7f7f7f7f7f7f7f)
SETS(rank3, $0x0000000000ff0000)
SETS(ranks5to7, $0x00ffffff00000000)
SETS(rank8, $0xff00000000000000)
SETS(allDangers, $0x27f7ff)

// SWAP sets to to from with the colors exchanged.
#define SWAP(from, to) VPSHUFD $0x4e, from, to

// OWN loads a pair of sets of the stack frame, THEIRS with the colors exchanged.
#define OWN(pair, x) VMOVDQU pair(SP), x
#define THEIRS(pair, x) VPSHUFD $0x4e, pair(SP), x

// WITHOUT sets to to from without the squares in not.
#define WITHOUT(not, from, to) VPANDN from, not, to

// EMPTY adds to sum 1<<k for the colors whose set in x is empty. X0 is zero.
#define EMPTY(k, x, sum) \
	VPCMPEQQ x, X0, x   \
	VPSLLQ   $(k), x, x \
	VPSUBQ   x, sum, sum

// func threatsVector(dst *Threats, byType *[6]uint64, byColor *[2]uint64, castling uint64)
//
// X1 and X2 are sums of EMPTY, the latter with the colors exchanged. X3 are the own
// pieces, X4 those of the opponents.
TEXT ·threatsVector(SB), NOSPLIT, $544-32
	MOVQ dst+0(FP), DI
	MOVQ byType+8(FP), SI
	MOVQ byColor+16(FP), DX
	MOVQ (DX), AX
	ORQ  8(DX), AX
	NOTQ AX
	CMPB ·useAVX512(SB), $0
	JNE  avx512

	VMOVQ        AX, X5
	VPBROADCASTQ X5, Y5
	VPAND        sliderLeft<>(SB), Y5, Y6
	VPAND        sliderRight<>(SB), Y5, Y9
	VMOVDQU      Y6, EMPTY1(SP)
	VMOVDQU      Y9, (EMPTY1+32)(SP)
	VPSLLVQ      sliderShifts<>(SB), Y6, Y7
	VPSRLVQ      sliderShifts<>(SB), Y9, Y10
	VPAND        Y6, Y7, Y7
	VPAND        Y9, Y10, Y10
	VMOVDQU      Y7, EMPTY2(SP)
	VMOVDQU      Y10, (EMPTY2+32)(SP)
	VPSLLVQ      sliderShifts2<>(SB), Y7, Y8
	VPSRLVQ      sliderShifts2<>(SB), Y10, Y11
	VPAND        Y7, Y8, Y8
	VPAND        Y10, Y11, Y11
	VMOVDQU      Y8, EMPTY4(SP)
	VMOVDQU      Y11, (EMPTY4+32)(SP)

	// Bishops in the lanes of diagonals and rooks in those of lines.
	VPBROADCASTQ BISHOP(SI), Y3
	VPBROADCASTQ ROOK(SI), Y4
	VPBLENDD     $0xf0, Y4, Y3, Y3
	VPBROADCASTQ WHITE(DX), Y12
	VPAND        Y3, Y12, Y12
	RAYS(Y1)
	VMOVDQU      Y13, SLIDERS(0)(SP)
	VMOVDQU      Y15, (SLIDERS(0)+32)(SP)
	VPBROADCASTQ BLACK(DX), Y12
	VPAND        Y3, Y12, Y12
	RAYS(Y2)
	VMOVDQU      Y13, SLIDERS(1)(SP)
	VMOVDQU      Y15, (SLIDERS(1)+32)(SP)
	BOTH(Y1, Y2)
	VMOVDQU      Y13, BISHOPS(SP)

	MEN(QUEEN, WHITE)
	RAYS(Y1)
	VPOR    SLIDERS(0)(SP), Y13, Y13
	VPOR    (SLIDERS(0)+32)(SP), Y15, Y15
	VMOVDQU Y13, SLIDERS(0)(SP)
	VMOVDQU Y15, (SLIDERS(0)+32)(SP)
	MEN(QUEEN, BLACK)
	RAYS(Y2)
	VPOR    SLIDERS(1)(SP), Y13, Y8
	VPOR    (SLIDERS(1)+32)(SP), Y15, Y9
	BOTH(Y1, Y2)
	VMOVDQU Y13, QUEENDIAGONALS(SP)

	// Kings as queens, and pins: what a king and a slider of the other color in the
	// opposite direction attack.
	MEN(KING, WHITE)
	RAYS(Y1)
	VPAND   Y9, Y13, Y6
	VPAND   Y8, Y15, Y7
	VPOR    Y7, Y6, Y6
	MEN(KING, BLACK)
	RAYS(Y2)
	VPAND   (SLIDERS(0)+32)(SP), Y13, Y7
	VPAND   SLIDERS(0)(SP), Y15, Y8
	VPOR    Y8, Y7, Y7
	BOTH(Y1, Y2)
	VMOVDQU Y13, KINGDIAGONALS(SP)
	ONE(Y6, Y7, PINS)

	STEPS(KNIGHT, knightShifts, knightLeft, knightRight, KNIGHTS)
	STEPS(KING, knightShifts, knightLeft, knightRight, KINGJUMPS)
	STEPS(QUEEN, knightShifts, knightLeft, knightRight, QUEENJUMPS)
	STEPS(KING, sliderShifts, sliderLeft, sliderRight, KINGS)

	VPBROADCASTQ ROOK(SI), Y3
	VPBROADCASTQ QUEEN(SI), Y4
	VPOR         Y4, Y3, Y3
	VPBROADCASTQ KING(SI), Y4
	VPOR         Y4, Y3, Y3
	VPBROADCASTQ WHITE(DX), Y12
	VPAND        Y3, Y12, Y12
	STEP(knightShifts, knightLeft, knightRight)
	VPOR         Y13, Y14, Y1
	VPAND        Y13, Y14, Y2
	VPBROADCASTQ BLACK(DX), Y12
	VPAND        Y3, Y12, Y12
	STEP(knightShifts, knightLeft, knightRight)
	VPOR         Y13, Y14, Y5
	VPAND        Y13, Y14, Y6
	SEVERAL(Y1, Y2, Y5, Y6)
	VMOVDQU      X15, FORKS(SP)
	JMP          sets

avx512:
	VPBROADCASTQ AX, Z20
	VMOVDQU64    sliderTurns<>(SB), Z16
	VMOVDQU64    sliderTurns2<>(SB), Z17
	VMOVDQU64    sliderTurns4<>(SB), Z18
	VMOVDQU64    sliderSteps<>(SB), Z19
	VMOVDQU64    knightTurns<>(SB), Z23
	VMOVDQU64    knightSteps<>(SB), Z24
	VPANDQ       Z19, Z20, Z20
	VPROLVQ      Z16, Z20, Z21
	VPANDQ       Z20, Z21, Z21
	VPROLVQ      Z17, Z21, Z22
	VPANDQ       Z21, Z22, Z22
	MOVL         $0xcc, AX                   // the lanes of lines
	KMOVW        AX, K1
	VPBROADCASTQ WHITE(DX), Z0
	VPBROADCASTQ BLACK(DX), Z1
	VPBROADCASTQ QUEEN(SI), Z6
	VPBROADCASTQ KING(SI), Z8
	VPBROADCASTQ ROOK(SI), Z10
	VPORQ        Z6, Z8, Z9
	VPORQ        Z9, Z10, Z10
	VPANDQ       Z0, Z10, Z9
	VPANDQ       Z1, Z10, Z10
	VPROLVQ      Z23, Z9, Z9
	VPROLVQ      Z23, Z10, Z10
	VPANDQ       Z24, Z9, Z9
	VPANDQ       Z24, Z10, Z10
	SEVERAL8(Z9, Z10)
	VMOVDQU      X15, FORKS(SP)

	VPANDQ       Z1, Z6, Z7
	VPANDQ       Z0, Z6, Z6
	STEPS8(Z23, Z24, Z6, Z7, QUEENJUMPS)
	VPANDQ       Z1, Z8, Z9
	VPANDQ       Z0, Z8, Z8
	STEPS8(Z23, Z24, Z8, Z9, KINGJUMPS)
	STEPS8(Z16, Z19, Z8, Z9, KINGS)
	VPBROADCASTQ KNIGHT(SI), Z10
	VPANDQ       Z0, Z10, Z2
	VPANDQ       Z1, Z10, Z3
	STEPS8(Z23, Z24, Z2, Z3, KNIGHTS)

	VPBROADCASTQ BISHOP(SI), Z5
	VPBROADCASTQ ROOK(SI), K1, Z5
	VPANDQ       Z0, Z5, Z4
	VPANDQ       Z1, Z5, Z5
	FILL8(Z4, Z2)
	FILL8(Z5, Z3)
	FILL8(Z6, Z2)
	FILL8(Z7, Z3)
	FILL8(Z8, Z2)
	FILL8(Z9, Z3)
	BOTH8(Z4, Z5)
	VMOVDQU      Y13, BISHOPS(SP)
	BOTH8(Z6, Z7)
	VMOVDQU      Y13, QUEENDIAGONALS(SP)
	BOTH8(Z8, Z9)
	VMOVDQU      Y13, KINGDIAGONALS(SP)
	VPORQ        Z6, Z4, Z4
	VPORQ        Z7, Z5, Z5
	VSHUFI64X2   $0x4e, Z4, Z4, Z4
	VSHUFI64X2   $0x4e, Z5, Z5, Z5
	VPANDQ       Z5, Z8, Z8
	VPANDQ       Z4, Z9, Z9
	ONE8(Z8, Z9, PINS)

sets:
	VPXOR   X0, X0, X0
	VPXOR   X1, X1, X1
	VPXOR   X2, X2, X2
	VMOVDQU (DX), X3
	SWAP(X3, X4)

	// The squares attacked by pawns, by minor pieces, too, by rooks, too, and by any;
	// those attacked twice.
	VMOVDDUP (SI), X5
	VPAND    X3, X5, X6
	FLIP(X6)
	VMOVDQU  X6, PAWNS(SP)
	VPAND    notFileA<>(SB), X6, X7
	VPSLLQ   $7, X7, X7
	VPAND    notFileH<>(SB), X6, X8
	VPSLLQ   $9, X8, X8
	VPOR     X7, X8, X9
	VPAND    X7, X8, X8
	FLIP(X9)
	FLIP(X8)
	VMOVDQU  X9, Threats_Pawns(DI)
	OWN(KNIGHTS, X10)
	VPAND    X10, X9, X13
	VPOR     X13, X8, X8
	VPOR     X10, X9, X9
	OWN(BISHOPS, X10)
	VPAND    X10, X9, X13
	VPOR     X13, X8, X8
	VPOR     X10, X9, X9
	VMOVDQU  X9, Threats_Minors(DI)
	OWN(ROOKS, X10)
	VPAND    X10, X9, X13
	VPOR     X13, X8, X8
	VPOR     X10, X9, X9
	VMOVDQU  X9, Threats_Rooks(DI)
	OWN(QUEENDIAGONALS, X10)
	OWN(QUEENLINES, X11)
	VPOR     X11, X10, X10
	VMOVDQU  X10, ALLQUEENS(SP)
	VPAND    X10, X9, X13
	VPOR     X13, X8, X8
	VPOR     X10, X9, X9
	OWN(KINGS, X7)
	VPAND    X7, X9, X13
	VPOR     X13, X8, X8
	VPOR     X7, X9, X10
	VMOVDQU  X8, Threats_Twice(DI)
	VMOVDQU  X10, Threats_All(DI)

	// Checks and forks; X5 are the unsafe squares, X7 those beside the king, X15 all checks.
	SWAP(X8, X5)
	WITHOUT(X5, X7, X5)
	VPOR X9, X5, X5
	VPOR X4, X5, X5
	THEIRS(KNIGHTS, X10)
	WITHOUT(X5, X10, X10)
	OWN(FORKS, X14)
	VPAND X10, X14, X14
	EMPTY(6, X14, X1)
	OWN(KINGJUMPS, X14)
	VPAND   X10, X14, X15
	VMOVDQU X15, X14
	EMPTY(0, X14, X1)
	OWN(KINGDIAGONALS, X8)
	OWN(KINGLINES, X9)
	THEIRS(BISHOPS, X11)
	WITHOUT(X5, X11, X11)
	VPAND X8, X11, X11
	VPOR  X11, X15, X15
	EMPTY(1, X11, X1)
	THEIRS(ROOKS, X12)
	WITHOUT(X5, X12, X12)
	VPAND X9, X12, X12
	VPOR  X12, X15, X15
	VPAND X7, X12, X11
	EMPTY(5, X11, X1)
	EMPTY(2, X12, X1)
	VPOR    X8, X9, X9
	THEIRS(ALLQUEENS, X13)
	WITHOUT(X5, X13, X13)
	VPAND X9, X13, X13
	VPOR  X13, X15, X15
	VPAND X7, X13, X11
	EMPTY(4, X11, X1)
	EMPTY(3, X13, X1)

	// At most one square to flee to, and a check; X8 are the squares that the opponent attacks.
	SWAP(Threats_All(DI), X8)
	WITHOUT(X3, X7, X9)
	WITHOUT(X8, X9, X9)
	VPCMPEQQ X10, X10, X10
	VPADDQ   X10, X9, X10
	VPAND    X9, X10, X10
	VPCMPEQQ X0, X10, X10
	VPAND    X15, X10, X10
	EMPTY(17, X10, X1)

	// Threatened pieces: hanging, in X9, and attacked by lesser ones, in X12. X10 are the
	// squares that the own side attacks, X11 minor pieces, X13 kings, X14 the squares
	// that the opponent's pawns, minor pieces and rooks attack.
	VMOVDQU  Threats_All(DI), X10
	VPAND    X3, X8, X9
	WITHOUT(X10, X9, X9)
	VMOVDDUP 8(SI), X11
	VMOVDDUP 16(SI), X12
	VPOR     X12, X11, X11
	SWAP(Threats_Pawns(DI), X12)
	VPAND    X11, X12, X12
	VMOVDDUP 24(SI), X13
	SWAP(Threats_Minors(DI), X14)
	VPAND    X14, X13, X13
	VPOR     X13, X12, X12
	VMOVDDUP 32(SI), X13
	SWAP(Threats_Rooks(DI), X14)
	VPAND    X14, X13, X13
	VPOR     X13, X12, X12
	VPAND    X3, X12, X12
	VMOVDDUP 40(SI), X13
	WITHOUT(X12, X9, X9)
	WITHOUT(X13, X9, X9)
	SWAP(X9, X15)
	VPOR     X15, X9, X15
	VMOVQ    X15, Threats_Hanging(DI)
	SWAP(X12, X15)
	VPOR     X15, X12, X15
	VMOVQ    X15, Threats_ByLesser(DI)
	VPOR     X12, X9, X9

	// Pieces, and pawns, attacked twice and not guarded twice; pinned ones; X12 are the
	// squares that the opponent attacks twice, X15 those that the own side does not.
	VMOVDQU  Threats_Twice(DI), X15
	SWAP(X15, X12)
	WITHOUT(X15, X12, X15)
	VPAND    X15, X10, X7
	VPAND    X3, X7, X7
	WITHOUT(X9, X7, X7)
	WITHOUT(X13, X7, X7)
	VMOVDDUP (SI), X5
	VPAND    X5, X7, X6
	EMPTY(15, X6, X1)
	WITHOUT(X5, X7, X7)
	EMPTY(14, X7, X1)
	OWN(PINS, X6)
	VPAND    X11, X6, X7
	VPAND    X4, X7, X7
	EMPTY(12, X7, X1)
	VPOR     X15, X14, X14
	VPAND    X3, X6, X6
	WITHOUT(X5, X6, X6)
	VPAND    X14, X6, X6
	EMPTY(13, X6, X1)

	// Attacks on queens from squares not in X12, and castling.
	WITHOUT(X12, X10, X12)
	VPOR  X4, X12, X12
	VPOR  Threats_Minors(DI), X12, X12
	OWN(QUEENLINES, X6)
	THEIRS(ROOKS, X7)
	VPAND X7, X6, X6
	WITHOUT(X12, X6, X6)
	OWN(ROOKS, X7)
	WITHOUT(X7, X6, X6)
	EMPTY(9, X6, X1)
	OWN(QUEENDIAGONALS, X6)
	THEIRS(BISHOPS, X7)
	VPAND X7, X6, X6
	OWN(QUEENJUMPS, X7)
	THEIRS(KNIGHTS, X9)
	VPAND X9, X7, X7
	VPOR  X7, X6, X6
	WITHOUT(X12, X6, X6)
	EMPTY(8, X6, X1)
	VMOVDDUP castling+24(FP), X6
	VPAND    X3, X6, X6
	EMPTY(21, X6, X1)

	// Moves of own pawns, on turned boards: X6 are the pawns, X7 the pieces on the board,
	// X9 the squares to which they can move safely, X12 pieces of the opponent.
	VMOVDQU PAWNS(SP), X6
	VPOR    X3, X4, X7
	VPOR    X7, X8, X14
	FLIP(X7)
	FLIP(X14)
	WITHOUT(X10, X8, X15)
	SWAP(Threats_Pawns(DI), X12)
	VPOR    X12, X15, X15
	FLIP(X15)
	VPSLLQ  $8, X6, X9
	WITHOUT(X7, X9, X9)
	VPAND   rank3<>(SB), X9, X10
	VPSLLQ  $8, X10, X10
	WITHOUT(X7, X10, X10)
	VPOR    X10, X9, X9
	WITHOUT(X15, X9, X9)
	WITHOUT(X5, X4, X12)
	FLIP(X12)
	VPAND   notFileH<>(SB), X12, X10
	VPSRLQ  $7, X10, X10
	VPAND   notFileA<>(SB), X12, X13
	VPSRLQ  $9, X13, X13
	VPAND   X13, X10, X10
	VPAND   X9, X10, X10
	EMPTY(7, X10, X2)
	VPAND   notFileA<>(SB), X9, X10
	VPSLLQ  $7, X10, X10
	VPAND   notFileH<>(SB), X9, X13
	VPSLLQ  $9, X13, X13
	VPOR    X13, X10, X10
	VMOVDQU Threats_Pawns(DI), X13
	VPAND   X11, X4, X12
	WITHOUT(X13, X12, X12)
	FLIP(X12)
	VPAND   X12, X10, X10
	EMPTY(16, X10, X2)
	VPAND   ranks5to7<>(SB), X6, X6
	VPSLLQ  $8, X6, X6
	WITHOUT(X14, X6, X6)
	VPSLLQ  $8, X6, X7
	WITHOUT(X14, X7, X7)
	VPOR    X7, X6, X6
	VPSLLQ  $8, X6, X7
	WITHOUT(X14, X7, X7)
	VPOR    X7, X6, X6
	VPAND   rank8<>(SB), X6, X6
	EMPTY(18, X6, X2)

	SWAP(X2, X2)
	VPADDQ  X2, X1, X1

	// Unguarded squares from which a queen of the opponent sees two pieces, of the king
	// and those that are not guarded: pieces see these squares in two directions.
	VMOVDQU Threats_All(DI), X6
	THEIRS(ALLQUEENS, X7)
	WITHOUT(X6, X7, X7)
	WITHOUT(X4, X7, X7)
	WITHOUT(X6, X3, X6)
	WITHOUT(X5, X6, X6)
	VMOVDDUP KING(SI), X8
	VPAND   X3, X8, X8
	VPOR    X8, X6, X6
	SWAP(X6, X8)
	CMPB    ·useAVX512(SB), $0
	JNE     seen512
	VPBROADCASTQ X6, Y12
	FILL
	VPOR    Y13, Y15, Y9
	VPAND   Y13, Y15, Y10
	VPBROADCASTQ X8, Y12
	FILL
	VPOR    Y13, Y15, Y11
	VPAND   Y13, Y15, Y8
	SEVERAL(Y9, Y10, Y11, Y8)
	JMP     seen
seen512:
	VPBROADCASTQ X6, Z6
	VPBROADCASTQ X8, Z8
	FILL8(Z6, Z9)
	FILL8(Z8, Z10)
	SEVERAL8(Z6, Z8)
seen:
	VPAND   X7, X15, X15
	EMPTY(10, X15, X1)
	VZEROUPPER

	VPXOR   allDangers<>(SB), X1, X1
	VMOVDQU X1, Threats_Dangers(DI)
	RET
