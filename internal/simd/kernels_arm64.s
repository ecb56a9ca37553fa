//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Instructions that Go's assembler does not support, given the numbers of their
// registers: d = n op m in lanes of 16 bits, and d += n * m in lanes of 32
// bits, from the lower or upper halves of n and m.
#define SMAX_H8(m, n, d)   WORD $(0x4e606400 | m<<16 | n<<5 | d)
#define SMIN_H8(m, n, d)   WORD $(0x4e606c00 | m<<16 | n<<5 | d)
#define MUL_H8(m, n, d)    WORD $(0x4e609c00 | m<<16 | n<<5 | d)
#define SMLAL_H4(m, n, d)  WORD $(0x0e608000 | m<<16 | n<<5 | d)
#define SMLAL2_H8(m, n, d) WORD $(0x4e608000 | m<<16 | n<<5 | d)

// The kernels of pairs process 16 elements of each half per iteration, in V0 and V1,
// and count R9 down.
#define LOAD_ROW(p) \
	VLD1.P 32(p), [V0.H8, V1.H8]

#define ADD_ROW(p) \
	VLD1.P 32(p), [V2.H8, V3.H8] \
	VADD   V2.H8, V0.H8, V0.H8   \
	VADD   V3.H8, V1.H8, V1.H8

#define SUB_ROW(p) \
	VLD1.P 32(p), [V2.H8, V3.H8] \
	VSUB   V2.H8, V0.H8, V0.H8   \
	VSUB   V3.H8, V1.H8, V1.H8

#define STORE_ROW(p) \
	VST1.P [V0.H8, V1.H8], 32(p)

#define NEXT \
	SUBS $16, R9 \
	BNE  loop

// func addSubPairVector(dst, src, addA, subA, addB, subB *int16, n int)
TEXT ·addSubPairVector(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD addA+16(FP), R2
	MOVD subA+24(FP), R3
	MOVD addB+32(FP), R4
	MOVD subB+40(FP), R5
	MOVD n+48(FP), R9
	ADD  R9<<1, R0, R6   // the second halves
	ADD  R9<<1, R1, R7

loop:
	LOAD_ROW(R1)
	ADD_ROW(R2)
	SUB_ROW(R3)
	STORE_ROW(R0)
	LOAD_ROW(R7)
	ADD_ROW(R4)
	SUB_ROW(R5)
	STORE_ROW(R6)
	NEXT
	RET

// func addSubSubPairVector(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B *int16, n int)
TEXT ·addSubSubPairVector(SB), NOSPLIT, $0-72
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD addA+16(FP), R2
	MOVD sub1A+24(FP), R3
	MOVD sub2A+32(FP), R4
	MOVD addB+40(FP), R5
	MOVD sub1B+48(FP), R6
	MOVD sub2B+56(FP), R7
	MOVD n+64(FP), R9
	ADD  R9<<1, R0, R10  // the second halves
	ADD  R9<<1, R1, R11

loop:
	LOAD_ROW(R1)
	ADD_ROW(R2)
	SUB_ROW(R3)
	SUB_ROW(R4)
	STORE_ROW(R0)
	LOAD_ROW(R11)
	ADD_ROW(R5)
	SUB_ROW(R6)
	SUB_ROW(R7)
	STORE_ROW(R10)
	NEXT
	RET

// The rows of a list are added to a block of columns in registers, then to the
// next block. R0, R12 and R2 point to the block in dst, src and table; R1 is the
// number of remaining elements. FIRST_ROW and NEXT_ROW set R7 to the address of the
// next of R6 rows listed at R5, and jump to end after the last.
#define FIRST_ROW(list, count, end) \
	MOVD list, R5  \
	MOVD count, R6 \
	CBZ  R6, end

#define NEXT_ROW \
	MOVW.P 4(R5), R7      \
	ADD    R7<<1, R2, R7  \
	SUB    $1, R6

// Blocks: 8 and 2 registers.
#define LOAD_8 \
	VLD1.P 64(R12), [V0.H8, V1.H8, V2.H8, V3.H8] \
	VLD1.P 64(R12), [V4.H8, V5.H8, V6.H8, V7.H8]

#define ROW_8(OP) \
	VLD1.P 64(R7), [V16.H8, V17.H8, V18.H8, V19.H8] \
	VLD1   (R7), [V20.H8, V21.H8, V22.H8, V23.H8]   \
	OP     V16.H8, V0.H8, V0.H8                     \
	OP     V17.H8, V1.H8, V1.H8                     \
	OP     V18.H8, V2.H8, V2.H8                     \
	OP     V19.H8, V3.H8, V3.H8                     \
	OP     V20.H8, V4.H8, V4.H8                     \
	OP     V21.H8, V5.H8, V5.H8                     \
	OP     V22.H8, V6.H8, V6.H8                     \
	OP     V23.H8, V7.H8, V7.H8

#define STORE_8 \
	VST1.P [V0.H8, V1.H8, V2.H8, V3.H8], 64(R0) \
	VST1.P [V4.H8, V5.H8, V6.H8, V7.H8], 64(R0)

#define ROW_2(OP) \
	VLD1 (R7), [V16.H8, V17.H8] \
	OP   V16.H8, V0.H8, V0.H8   \
	OP   V17.H8, V1.H8, V1.H8

// func addSubRowsVector(dst, src *int16, n int, table *int16, add, sub []int32)
TEXT ·addSubRowsVector(SB), NOSPLIT, $0-80
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R12
	MOVD n+16(FP), R1
	MOVD table+24(FP), R2
	MOVD add_base+32(FP), R3
	MOVD add_len+40(FP), R4
	MOVD sub_base+56(FP), R10
	MOVD sub_len+64(FP), R11

eight:
	CMP $64, R1
	BLT two
	LOAD_8
	FIRST_ROW(R3, R4, eightadded)

eightadd:
	NEXT_ROW
	ROW_8(VADD)
	CBNZ R6, eightadd

eightadded:
	FIRST_ROW(R10, R11, eightsubtracted)

eightsub:
	NEXT_ROW
	ROW_8(VSUB)
	CBNZ R6, eightsub

eightsubtracted:
	STORE_8
	ADD $128, R2
	SUB $64, R1
	B   eight

two:
	CBZ    R1, done
	VLD1.P 32(R12), [V0.H8, V1.H8]
	FIRST_ROW(R3, R4, twoadded)

twoadd:
	NEXT_ROW
	ROW_2(VADD)
	CBNZ R6, twoadd

twoadded:
	FIRST_ROW(R10, R11, twosubtracted)

twosub:
	NEXT_ROW
	ROW_2(VSUB)
	CBNZ R6, twosub

twosubtracted:
	VST1.P [V0.H8, V1.H8], 32(R0)
	ADD    $32, R2
	SUB    $16, R1
	B      two

done:
	RET

// SCRELU adds clamp(v)² * w to the 32-bit sums in V16 to V19, given zeros in V6
// and limits in V7. As |clamp(v) * w| < 32768, products are in the low halves.
#define SCRELU(v, w) \
	VLD1.P 32(v), [V0.H8, V1.H8] \
	VLD1.P 32(w), [V2.H8, V3.H8] \
	SMAX_H8(6, 0, 0)             \
	SMAX_H8(6, 1, 1)             \
	SMIN_H8(7, 0, 0)             \
	SMIN_H8(7, 1, 1)             \
	MUL_H8(0, 2, 2)              \
	MUL_H8(1, 3, 3)              \
	SMLAL_H4(0, 2, 16)           \
	SMLAL2_H8(0, 2, 17)          \
	SMLAL_H4(1, 3, 18)           \
	SMLAL2_H8(1, 3, 19)

// func screluDotVector(a, b, w *int16, n int) int32
TEXT ·screluDotVector(SB), NOSPLIT, $0-36
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD w+16(FP), R2
	MOVD n+24(FP), R9
	MOVD $const_Clip, R4
	ADD  R9<<1, R2, R3    // the second half of the weights
	VEOR V6.B16, V6.B16, V6.B16
	VDUP R4, V7.H8
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16

loop:
	SCRELU(R0, R2)
	SCRELU(R1, R3)
	NEXT
	VADD  V17.S4, V16.S4, V16.S4
	VADD  V19.S4, V18.S4, V18.S4
	VADD  V18.S4, V16.S4, V16.S4
	VADDV V16.S4, V16
	VMOV  V16.S[0], R0
	MOVW  R0, ret+32(FP)
	RET
