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

// Attacks of sliders are filled by Kogge-Stone: each lane of a vector is one
// direction, in which sets of squares are shifted to the left and to the right by
// 7, 9, 1 or 8. The masks have the squares that such a step can reach, those of
// the edge where it begins are not among them.
//
// Source: S. Edwards, "Kogge-Stone algorithm" in the Chess Programming Wiki,
// after P. Kogge, H. Stone, 1973.
LANES(sliderShifts, $7, $9, $1, $8)
LANES(sliderLeft, $0x7f7f7f7f7f7f7f7f, $0xfefefefefefefefe, $0xfefefefefefefefe, $0xffffffffffffffff)
LANES(sliderRight, $0xfefefefefefefefe, $0x7f7f7f7f7f7f7f7f, $0x7f7f7f7f7f7f7f7f, $0xffffffffffffffff)

// Those of knights are 6, 10, 15 and 17.
LANES(knightShifts, $6, $10, $15, $17)
LANES(knightLeft, $0x3f3f3f3f3f3f3f3f, $0xfcfcfcfcfcfcfcfc, $0x7f7f7f7f7f7f7f7f, $0xfefefefefefefefe)
LANES(knightRight, $0xfcfcfcfcfcfcfcfc, $0x3f3f3f3f3f3f3f3f, $0xfefefefefefefefe, $0x7f7f7f7f7f7f7f7f)

// SLIDE sets to to what sliders on from attack: from spreads over empty squares
// (p1; p2 and p4 where two and four in a row are) by one step, two and four, and
// then by one more.
#define SLIDE(SHIFT, from, to, tmp, p1, p2, p4, mask) \
	SHIFT Y0, from, to  \
	VPAND p1, to, to    \
	VPOR  from, to, to  \
	SHIFT Y1, to, tmp   \
	VPAND p2, tmp, tmp  \
	VPOR  tmp, to, to   \
	SHIFT Y2, to, tmp   \
	VPAND p4, tmp, tmp  \
	VPOR  tmp, to, to   \
	SHIFT Y0, to, to    \
	VPAND mask, to, to

// FILL sets Y13 and Y15 to what the sliders in Y12 attack to the left and to the
// right, by direction.
#define FILL \
	SLIDE(VPSLLVQ, Y12, Y13, Y14, Y6, Y7, Y8, Y3)   \
	SLIDE(VPSRLVQ, Y12, Y15, Y14, Y9, Y10, Y11, Y4)

// LINES stores the diagonals and the lines of Y13 and Y15 at dst and the 8 bytes behind.
#define LINES(dst) \
	VPOR    Y15, Y13, Y13        \
	VPSHUFD $0x4e, Y13, Y14      \
	VPOR    Y14, Y13, Y13        \
	VPERMQ  $0x08, Y13, Y13      \
	VMOVDQU X13, dst

// JUMP sets to the knights' moves from Y12 to the left and to the right, by distance.
#define JUMP(left, right) \
	VPSLLVQ knightShifts<>(SB), Y12, left  \
	VPSRLVQ knightShifts<>(SB), Y12, right \
	VPAND   knightLeft<>(SB), left, left   \
	VPAND   knightRight<>(SB), right, right

// The stack frame: by color, what its sliders and what its king as a queen attack to
// the left and to the right, and its attacks; then pawns.
#define SLIDERS(color) ((color)*64)
#define KINGS(color)   (128+(color)*64)
#define ATTACKS(color) (256+(color)*72)
#define PAWNS          400

// The attacks of a color: by its pieces, by its king as a queen, by a knight on two of
// its rooks, queens and king, and the pieces alone between the king and a slider.
#define KNIGHTS        0
#define BISHOPS        8
#define ROOKS          16
#define QUEENDIAGONALS 24
#define QUEENLINES     32
#define KINGDIAGONALS  40
#define KINGLINES      48
#define FORKS          56
#define PINS           64

// SIDE sets the attacks of a color whose pieces are at pieces, but for pins. Of bishops
// and rooks, in one vector, the first lanes are those of bishops. Forks are the squares
// in two or more lanes, counted by halving.
#define SIDE(color, pieces) \
	VPBROADCASTQ pieces, Y5                         \
	VPBROADCASTQ 16(SI), Y12                        \
	VPBROADCASTQ 24(SI), Y13                        \
	VPBLENDD     $0xf0, Y13, Y12, Y12               \
	VPAND        Y5, Y12, Y12                       \
	FILL                                            \
	VMOVDQU      Y13, SLIDERS(color)(SP)            \
	VMOVDQU      Y15, (SLIDERS(color)+32)(SP)       \
	LINES((ATTACKS(color)+BISHOPS)(SP))             \
	VPBROADCASTQ 32(SI), Y12                        \
	VPAND        Y5, Y12, Y12                       \
	FILL                                            \
	VPOR         SLIDERS(color)(SP), Y13, Y14       \
	VMOVDQU      Y14, SLIDERS(color)(SP)            \
	VPOR         (SLIDERS(color)+32)(SP), Y15, Y14  \
	VMOVDQU      Y14, (SLIDERS(color)+32)(SP)       \
	LINES((ATTACKS(color)+QUEENDIAGONALS)(SP))      \
	VPBROADCASTQ 8(SI), Y12                         \
	VPAND        Y5, Y12, Y12                       \
	JUMP(Y14, Y13)                                  \
	VPOR         Y14, Y13, Y13                      \
	VEXTRACTI128 $1, Y13, X14                       \
	VPOR         X14, X13, X13                      \
	VPSHUFD      $0x4e, X13, X14                    \
	VPOR         X14, X13, X13                      \
	VMOVQ        X13, (ATTACKS(color)+KNIGHTS)(SP)  \
	VPBROADCASTQ 40(SI), Y12                        \
	VPAND        Y5, Y12, Y12                       \
	FILL                                            \
	VMOVDQU      Y13, KINGS(color)(SP)              \
	VMOVDQU      Y15, (KINGS(color)+32)(SP)         \
	LINES((ATTACKS(color)+KINGDIAGONALS)(SP))       \
	VPBROADCASTQ 24(SI), Y13                        \
	VPOR         Y13, Y12, Y12                      \
	VPBROADCASTQ 32(SI), Y13                        \
	VPOR         Y13, Y12, Y12                      \
	VPAND        Y5, Y12, Y12                       \
	JUMP(Y14, Y12)                                  \
	VPAND        Y14, Y12, Y15                      \
	VPOR         Y14, Y12, Y12                      \
	VPERMQ       $0x4e, Y12, Y13                    \
	VPERMQ       $0x4e, Y15, Y14                    \
	VPOR         Y14, Y15, Y15                      \
	VPAND        Y13, Y12, Y14                      \
	VPOR         Y14, Y15, Y15                      \
	VPOR         Y13, Y12, Y12                      \
	VPSHUFD      $0x4e, X12, X13                    \
	VPSHUFD      $0x4e, X15, X14                    \
	VPAND        X13, X12, X12                      \
	VPOR         X14, X15, X15                      \
	VPOR         X12, X15, X15                      \
	VMOVQ        X15, (ATTACKS(color)+FORKS)(SP)

// PIN sets the pins of a color: the pieces, in AX, that both its king as a queen and a
// slider of the other color in the opposite direction attack.
#define PIN(color) \
	VMOVDQU      KINGS(color)(SP), Y12                  \
	VPAND        (SLIDERS(1-color)+32)(SP), Y12, Y12    \
	VMOVDQU      (KINGS(color)+32)(SP), Y13             \
	VPAND        SLIDERS(1-color)(SP), Y13, Y13         \
	VPOR         Y13, Y12, Y12                          \
	VEXTRACTI128 $1, Y12, X13                           \
	VPOR         X13, X12, X12                          \
	VPSHUFD      $0x4e, X12, X13                        \
	VPOR         X13, X12, X12                          \
	VMOVQ        X12, BX                                \
	ANDQ         AX, BX                                 \
	MOVQ         BX, (ATTACKS(color)+PINS)(SP)

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
SETS(allDangers, $0x27f3ff)

// SWAP sets to to from with the colors exchanged.
#define SWAP(from, to) VPSHUFD $0x4e, from, to

// OWN loads attacks of both colors, THEIRS those of the opponents of both.
#define OWN(attacks, x) \
	VMOVQ   (ATTACKS(0)+attacks)(SP), x \
	VMOVHPS (ATTACKS(1)+attacks)(SP), x, x
#define THEIRS(attacks, x) \
	VMOVQ   (ATTACKS(1)+attacks)(SP), x \
	VMOVHPS (ATTACKS(0)+attacks)(SP), x, x

// GIVEN loads a pair of words that were stored one by one.
#define GIVEN(field, x) \
	VMOVQ   (field)(DI), x     \
	VMOVHPS (field+8)(DI), x, x

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
TEXT ·threatsVector(SB), NOSPLIT, $416-32
	MOVQ         dst+0(FP), DI
	MOVQ         byType+8(FP), SI
	MOVQ         byColor+16(FP), DX
	MOVQ         (DX), AX
	ORQ          8(DX), AX
	NOTQ         AX
	VMOVQ        AX, X5
	VPBROADCASTQ X5, Y5
	VMOVDQU      sliderShifts<>(SB), Y0
	VPADDQ       Y0, Y0, Y1
	VPADDQ       Y1, Y1, Y2
	VMOVDQU      sliderLeft<>(SB), Y3
	VMOVDQU      sliderRight<>(SB), Y4
	VPAND        Y3, Y5, Y6
	VPAND        Y4, Y5, Y9
	VPSLLVQ      Y0, Y6, Y7
	VPSRLVQ      Y0, Y9, Y10
	VPAND        Y6, Y7, Y7
	VPAND        Y9, Y10, Y10
	VPSLLVQ      Y1, Y7, Y8
	VPSRLVQ      Y1, Y10, Y11
	VPAND        Y7, Y8, Y8
	VPAND        Y10, Y11, Y11
	SIDE(0, (DX))
	SIDE(1, 8(DX))
	NOTQ         AX
	PIN(0)
	PIN(1)
	VZEROUPPER

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
	VMOVDQU  X10, Threats_Queens(DI)
	VPAND    X10, X9, X13
	VPOR     X13, X8, X8
	VPOR     X10, X9, X9
	GIVEN(Threats_Kings, X7)
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
	GIVEN(Threats_KingJumps, X14)
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
	VMOVDQU X9, Threats_KingQueens(DI)
	SWAP(Threats_Queens(DI), X13)
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
	GIVEN(Threats_QueenJumps, X7)
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
	VPXOR   allDangers<>(SB), X1, X1
	VMOVDQU X1, Threats_Dangers(DI)
	RET
