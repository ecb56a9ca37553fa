//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Instructions that Go's assembler does not support, given the numbers of their
// registers, as in kernels_arm64.s. SMULL multiplies lanes of 8 bits, from the
// lower or upper halves, into 16 bits; SADALP adds pairs of lanes of 16 bits to
// lanes of 32. SHRN_4 shifts by 4 to the right and keeps lower halves, SQXTN
// narrows 32 bits to 16 with saturation, SQDMULH is n * m * 2 >> 16 in lanes of
// 16 bits, and SADDLV adds four lanes up in 64 bits.
#define SMAX_H8(m, n, d)    WORD $(0x4e606400 | m<<16 | n<<5 | d)
#define SMIN_H8(m, n, d)    WORD $(0x4e606c00 | m<<16 | n<<5 | d)
#define MUL_H8(m, n, d)     WORD $(0x4e609c00 | m<<16 | n<<5 | d)
#define SMLAL_H4(m, n, d)   WORD $(0x0e608000 | m<<16 | n<<5 | d)
#define SMLAL2_H8(m, n, d)  WORD $(0x4e608000 | m<<16 | n<<5 | d)
#define SMULL_B8(m, n, d)   WORD $(0x0e20c000 | m<<16 | n<<5 | d)
#define SMULL2_B16(m, n, d) WORD $(0x4e20c000 | m<<16 | n<<5 | d)
#define SADALP_H8(n, d)     WORD $(0x4e606800 | n<<5 | d)
#define SHRN_4(n, d)        WORD $(0x0f0c8400 | n<<5 | d)
#define SQXTN_S4(n, d)      WORD $(0x0e614800 | n<<5 | d)
#define SQXTN2_S4(n, d)     WORD $(0x4e614800 | n<<5 | d)
#define SQDMULH_H8(m, n, d) WORD $(0x4e60b400 | m<<16 | n<<5 | d)
#define SMAX_S4(m, n, d)    WORD $(0x4ea06400 | m<<16 | n<<5 | d)
#define SMIN_S4(m, n, d)    WORD $(0x4ea06c00 | m<<16 | n<<5 | d)
#define SADDLV_S4(n, d)     WORD $(0x4eb03800 | n<<5 | d)

// PRODUCTS stores 16 products of the neurons at p and their partners at q,
// given zeros in V6 and limits in V7: the upper bytes of a*b, halved.
#define PRODUCTS(p, q) \
	VLD1.P 32(p), [V0.H8, V1.H8]   \
	VLD1.P 32(q), [V2.H8, V3.H8]   \
	SMAX_H8(6, 0, 0)               \
	SMAX_H8(6, 1, 1)               \
	SMAX_H8(6, 2, 2)               \
	SMAX_H8(6, 3, 3)               \
	SMIN_H8(7, 0, 0)               \
	SMIN_H8(7, 1, 1)               \
	SMIN_H8(7, 2, 2)               \
	SMIN_H8(7, 3, 3)               \
	MUL_H8(2, 0, 0)                \
	MUL_H8(3, 1, 1)                \
	VUZP2  V1.B16, V0.B16, V0.B16  \
	VUSHR  $1, V0.B16, V0.B16      \
	VST1.P [V0.B16], 16(R3)

// FOUR_SUMS adds to the sums d the products in V4 times the weights w of four
// neurons. As products and weights are at most 127, two fit 16 bits.
#define FOUR_SUMS(w, d) \
	SMULL_B8(4, w, 24)             \
	SMULL2_B16(4, w, 25)           \
	VADDP V25.H8, V24.H8, V24.H8   \
	SADALP_H8(24, d)

// PAIR adds to the sums d and e, of eight neurons, the activations in V4 and V5
// times their weights.
#define PAIR(d, e) \
	VLD2.P 32(R1), [V20.H8, V21.H8] \
	SMLAL_H4(4, 20, d)              \
	SMLAL2_H8(4, 20, e)             \
	SMLAL_H4(5, 21, d)              \
	SMLAL2_H8(5, 21, e)

// ACTIVATE converts eight sums of the second layer in D and E, whose numbers
// are d and e, to activations in D, given zeros in V6 and the largest sums in
// V7.
#define ACTIVATE(d, e, D, E) \
	SMAX_S4(6, d, d)                   \
	SMAX_S4(6, e, e)                   \
	SMIN_S4(7, d, d)                   \
	SMIN_S4(7, e, e)                   \
	VUSHR $const_HeadShift, D.S4, D.S4 \
	VUSHR $const_HeadShift, E.S4, E.S4 \
	VUZP1 E.H8, D.H8, D.H8

// func headVector(h *Head, sums *int32, us, them *int16, n int, products *uint8) int64
TEXT ·headVector(SB), NOSPLIT, $64-56
	MOVD h+0(FP), R12
	MOVD us+16(FP), R0
	MOVD them+24(FP), R1
	MOVD n+32(FP), R2
	MOVD products+40(FP), R3
	MOVD Head_first(R12), R4
	MOVD Head_firstBias(R12), R5
	VLD1 (R5), [V16.S4, V17.S4, V18.S4, V19.S4]
	MOVD $const_Clip, R5
	VEOR V6.B16, V6.B16, V6.B16
	VDUP R5, V7.H8
	ADD  R2, R0, R6
	ADD  R2, R1, R7
	MOVD R3, R8
	MOVD R2, R9

us:
	PRODUCTS(R0, R6)
	SUBS $32, R9
	BNE  us
	MOVD R2, R9

them:
	PRODUCTS(R1, R7)
	SUBS $32, R9
	BNE  them

	// 64 products at R8 per iteration. R6 has a bit for every block of four
	// that are not all zero, at the number of the block's first product.
part:
	VLD1   (R8), [V0.B16, V1.B16, V2.B16, V3.B16]
	VCMTST V0.S4, V0.S4, V0.S4
	VCMTST V1.S4, V1.S4, V1.S4
	VCMTST V2.S4, V2.S4, V2.S4
	VCMTST V3.S4, V3.S4, V3.S4
	VUZP1  V1.H8, V0.H8, V0.H8
	VUZP1  V3.H8, V2.H8, V2.H8
	VUZP1  V2.B16, V0.B16, V0.B16
	SHRN_4(0, 0)
	VMOV   V0.D[0], R6
	AND    $0x1111111111111111, R6
	CBZ    R6, next

nonzero:
	RBIT  R6, R7
	CLZ   R7, R7
	SUB   $1, R6, R9
	ADD   R7, R8, R10
	ADD   R7<<4, R4, R11
	VLD1R (R10), [V4.S4]
	VLD1  (R11), [V20.B16, V21.B16, V22.B16, V23.B16]
	FOUR_SUMS(20, 16)
	FOUR_SUMS(21, 17)
	FOUR_SUMS(22, 18)
	FOUR_SUMS(23, 19)
	ANDS  R9, R6
	BNE   nonzero

next:
	ADD  $64, R8
	ADD  $1024, R4
	SUBS $64, R2
	BNE  part
	MOVD sums+8(FP), R0
	VST1 [V16.S4, V17.S4, V18.S4, V19.S4], (R0)

	// The sums as 16 bits, clipped on both sides; in V2 and V3 also at zero,
	// and in V4 and V5 their squares, s² >> 13 as 2s * 2s * 2 >> 16.
	SQXTN_S4(16, 0)
	SQXTN2_S4(17, 0)
	SQXTN_S4(18, 1)
	SQXTN2_S4(19, 1)
	MOVD $const_HeadOne, R4
	VEOR V6.B16, V6.B16, V6.B16
	VDUP R4, V7.H8
	VSUB V7.H8, V6.H8, V16.H8
	SMIN_H8(7, 0, 0)
	SMIN_H8(7, 1, 1)
	SMAX_H8(16, 0, 0)
	SMAX_H8(16, 1, 1)
	SMAX_H8(6, 0, 2)
	SMAX_H8(6, 1, 3)
	VADD V0.H8, V0.H8, V0.H8
	VADD V1.H8, V1.H8, V1.H8
	SQDMULH_H8(0, 0, 4)
	SQDMULH_H8(1, 1, 5)
	MOVD $activations-64(SP), R5
	VST1 [V2.H8, V3.H8, V4.H8, V5.H8], (R5)

	MOVD   Head_second(R12), R1
	MOVD   Head_secondBias(R12), R2
	MOVD   Head_output(R12), R3
	VLD1.P 64(R2), [V24.S4, V25.S4, V26.S4, V27.S4]
	VLD1   (R2), [V28.S4, V29.S4, V30.S4, V31.S4]
	MOVD   $16, R6

pair:
	VLD1R.P 2(R5), [V4.H8]
	VLD1R.P 2(R5), [V5.H8]
	PAIR(24, 25)
	PAIR(26, 27)
	PAIR(28, 29)
	PAIR(30, 31)
	SUBS    $1, R6
	BNE     pair

	MOVD $(const_HeadOne << const_HeadShift), R4
	VDUP R4, V7.S4
	ACTIVATE(24, 25, V24, V25)
	ACTIVATE(26, 27, V26, V27)
	ACTIVATE(28, 29, V28, V29)
	ACTIVATE(30, 31, V30, V31)

	// Eight products fit 32 bits: 8*8128*16383 < 2^31.
	VLD1 (R3), [V0.H8, V1.H8, V2.H8, V3.H8]
	VEOR V16.B16, V16.B16, V16.B16
	SMLAL_H4(0, 24, 16)
	SMLAL2_H8(0, 24, 16)
	SMLAL_H4(1, 26, 16)
	SMLAL2_H8(1, 26, 16)
	SMLAL_H4(2, 28, 16)
	SMLAL2_H8(2, 28, 16)
	SMLAL_H4(3, 30, 16)
	SMLAL2_H8(3, 30, 16)
	SADDLV_S4(16, 16)
	VMOV V16.D[0], R0
	MOVD R0, ret+48(FP)
	RET
