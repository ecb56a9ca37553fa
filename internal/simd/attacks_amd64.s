//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Attacks of sliders are filled by Kogge-Stone: each lane of a vector is one
// direction, in which sets of squares are shifted to the left and to the right by
// 7, 9, 1 or 8. The masks have the squares that such a step can reach, those of
// the edge where it begins are not among them.
//
// Source: S. Edwards, "Kogge-Stone algorithm" in the Chess Programming Wiki,
// after P. Kogge, H. Stone, 1973.
DATA sliderShifts<>+0(SB)/8, $7
DATA sliderShifts<>+8(SB)/8, $9
DATA sliderShifts<>+16(SB)/8, $1
DATA sliderShifts<>+24(SB)/8, $8
GLOBL sliderShifts<>(SB), RODATA|NOPTR, $32

DATA sliderLeft<>+0(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA sliderLeft<>+8(SB)/8, $0xfefefefefefefefe
DATA sliderLeft<>+16(SB)/8, $0xfefefefefefefefe
DATA sliderLeft<>+24(SB)/8, $0xffffffffffffffff
GLOBL sliderLeft<>(SB), RODATA|NOPTR, $32

DATA sliderRight<>+0(SB)/8, $0xfefefefefefefefe
DATA sliderRight<>+8(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA sliderRight<>+16(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA sliderRight<>+24(SB)/8, $0xffffffffffffffff
GLOBL sliderRight<>(SB), RODATA|NOPTR, $32

// Those of knights are 6, 10, 15 and 17.
DATA knightShifts<>+0(SB)/8, $6
DATA knightShifts<>+8(SB)/8, $10
DATA knightShifts<>+16(SB)/8, $15
DATA knightShifts<>+24(SB)/8, $17
GLOBL knightShifts<>(SB), RODATA|NOPTR, $32

DATA knightLeft<>+0(SB)/8, $0x3f3f3f3f3f3f3f3f
DATA knightLeft<>+8(SB)/8, $0xfcfcfcfcfcfcfcfc
DATA knightLeft<>+16(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA knightLeft<>+24(SB)/8, $0xfefefefefefefefe
GLOBL knightLeft<>(SB), RODATA|NOPTR, $32

DATA knightRight<>+0(SB)/8, $0xfcfcfcfcfcfcfcfc
DATA knightRight<>+8(SB)/8, $0x3f3f3f3f3f3f3f3f
DATA knightRight<>+16(SB)/8, $0xfefefefefefefefe
DATA knightRight<>+24(SB)/8, $0x7f7f7f7f7f7f7f7f
GLOBL knightRight<>(SB), RODATA|NOPTR, $32

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

// FILL sets Y13 to what the sliders in Y12 attack, by direction.
#define FILL \
	SLIDE(VPSLLVQ, Y12, Y13, Y14, Y6, Y7, Y8, Y3)   \
	SLIDE(VPSRLVQ, Y12, Y15, Y14, Y9, Y10, Y11, Y4) \
	VPOR Y15, Y13, Y13

// SIDE sets the Attacks of the color whose pieces are at color: dst, king and fork
// are the addresses of its fields. Of bishops and rooks, in one vector, the first
// lanes are those of bishops. Forks are the squares in two or more lanes, counted
// by halving.
#define SIDE(color, dst, king, fork) \
	VPBROADCASTQ color, Y5                   \
	VPBROADCASTQ 16(SI), Y12                 \
	VPBROADCASTQ 24(SI), Y13                 \
	VPBLENDD     $0xf0, Y13, Y12, Y12        \
	VPAND        Y5, Y12, Y12                \
	FILL                                     \
	VPSHUFD      $0x4e, Y13, Y14             \
	VPOR         Y14, Y13, Y13               \
	VPERMQ       $0x80, Y13, Y13             \
	VMOVDQU      Y13, dst                    \
	VPBROADCASTQ 32(SI), Y12                 \
	VPAND        Y5, Y12, Y12                \
	FILL                                     \
	VPBROADCASTQ 8(SI), Y12                  \
	VPAND        Y5, Y12, Y12                \
	VPSLLVQ      knightShifts<>(SB), Y12, Y14 \
	VPSRLVQ      knightShifts<>(SB), Y12, Y12 \
	VPAND        knightLeft<>(SB), Y14, Y14  \
	VPAND        knightRight<>(SB), Y12, Y12 \
	VPOR         Y14, Y12, Y12               \
	VPUNPCKLQDQ  Y13, Y12, Y14               \
	VPUNPCKHQDQ  Y13, Y12, Y13               \
	VPOR         Y14, Y13, Y13               \
	VEXTRACTI128 $1, Y13, X14                \
	VPOR         X14, X13, X13               \
	VMOVDQU      X13, dst                     \
	VPBROADCASTQ 40(SI), Y12                  \
	VPAND        Y5, Y12, Y12                 \
	FILL                                      \
	VPSHUFD      $0x4e, Y13, Y14              \
	VPOR         Y14, Y13, Y13                \
	VPERMQ       $0x08, Y13, Y13              \
	VMOVDQU      X13, king                    \
	VPBROADCASTQ 24(SI), Y13                  \
	VPOR         Y13, Y12, Y12                \
	VPBROADCASTQ 32(SI), Y13                  \
	VPOR         Y13, Y12, Y12                \
	VPAND        Y5, Y12, Y12                 \
	VPSLLVQ      knightShifts<>(SB), Y12, Y14 \
	VPSRLVQ      knightShifts<>(SB), Y12, Y12 \
	VPAND        knightLeft<>(SB), Y14, Y14   \
	VPAND        knightRight<>(SB), Y12, Y12  \
	VPAND        Y14, Y12, Y15                \
	VPOR         Y14, Y12, Y12                \
	VPERMQ       $0x4e, Y12, Y13              \
	VPERMQ       $0x4e, Y15, Y14              \
	VPOR         Y14, Y15, Y15                \
	VPAND        Y13, Y12, Y14                \
	VPOR         Y14, Y15, Y15                \
	VPOR         Y13, Y12, Y12                \
	VPSHUFD      $0x4e, X12, X13              \
	VPSHUFD      $0x4e, X15, X14              \
	VPAND        X13, X12, X12                \
	VPOR         X14, X15, X15                \
	VPOR         X12, X15, X15                \
	VMOVQ        X15, fork

// func attacksVector(dst *[2]Attacks, byType *[6]uint64, byColor *[2]uint64)
TEXT ·attacksVector(SB), NOSPLIT, $0-24
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
	SIDE((DX), Attacks_Knights(DI), Attacks_KingDiagonals(DI), Attacks_Forks(DI))
	SIDE(8(DX), (Attacks__size+Attacks_Knights)(DI), (Attacks__size+Attacks_KingDiagonals)(DI), (Attacks__size+Attacks_Forks)(DI))
	VZEROUPPER
	RET
