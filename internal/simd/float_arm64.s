//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Instructions that Go's assembler does not support, given the numbers of their
// registers: d = n op m in lanes of 32 bits. FCMGT sets all bits of lanes where
// n > m.
#define FADD_S4(m, n, d)  WORD $(0x4e20d400 | m<<16 | n<<5 | d)
#define FADDP_S4(m, n, d) WORD $(0x6e20d400 | m<<16 | n<<5 | d)
#define FSUB_S4(m, n, d)  WORD $(0x4ea0d400 | m<<16 | n<<5 | d)
#define FMUL_S4(m, n, d)  WORD $(0x6e20dc00 | m<<16 | n<<5 | d)
#define FDIV_S4(m, n, d)  WORD $(0x6e20fc00 | m<<16 | n<<5 | d)
#define FMAX_S4(m, n, d)  WORD $(0x4e20f400 | m<<16 | n<<5 | d)
#define FMIN_S4(m, n, d)  WORD $(0x4ea0f400 | m<<16 | n<<5 | d)
#define FCMGT_S4(m, n, d) WORD $(0x6ea0e400 | m<<16 | n<<5 | d)
#define FSQRT_S4(n, d)    WORD $(0x6ea1f800 | n<<5 | d)

// NEXT_ROW sets R7 to the address of the next row listed at R5, of which R6
// remain, in the block of columns at R3.
#define NEXT_ROW \
	MOVW.P 4(R5), R7     \
	ADD    R7<<2, R3, R7 \
	SUB    $1, R6

// A block of columns is kept in 8 or 4 registers while the rows are added.
#define ADD_ROW_4 \
	VLD1.P 64(R7), [V16.S4, V17.S4, V18.S4, V19.S4] \
	FADD_S4(16, 0, 0)                               \
	FADD_S4(17, 1, 1)                               \
	FADD_S4(18, 2, 2)                               \
	FADD_S4(19, 3, 3)

#define ADD_ROW_8 \
	ADD_ROW_4                                     \
	VLD1 (R7), [V20.S4, V21.S4, V22.S4, V23.S4]   \
	FADD_S4(20, 4, 4)                             \
	FADD_S4(21, 5, 5)                             \
	FADD_S4(22, 6, 6)                             \
	FADD_S4(23, 7, 7)

// func sumRowsFloatVector(dst, bias *float32, n int, table *float32, rows []int32)
TEXT ·sumRowsFloatVector(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD bias+8(FP), R1
	MOVD n+16(FP), R2
	MOVD table+24(FP), R3

eight:
	CMP    $32, R2
	BLT    four
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P 64(R1), [V4.S4, V5.S4, V6.S4, V7.S4]
	MOVD   rows_base+32(FP), R5
	MOVD   rows_len+40(FP), R6
	CBZ    R6, eightstore

eightadd:
	NEXT_ROW
	ADD_ROW_8
	CBNZ R6, eightadd

eightstore:
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], 64(R0)
	ADD    $128, R3
	SUB    $32, R2
	B      eight

four:
	CBZ    R2, done
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	MOVD   rows_base+32(FP), R5
	MOVD   rows_len+40(FP), R6
	CBZ    R6, fourstore

fouradd:
	NEXT_ROW
	ADD_ROW_4
	CBNZ R6, fouradd

fourstore:
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)

done:
	RET

// func addToRowsFloatVector(table, src *float32, n int, rows []int32)
TEXT ·addToRowsFloatVector(SB), NOSPLIT, $0-48
	MOVD table+0(FP), R3
	MOVD rows_base+24(FP), R5
	MOVD rows_len+32(FP), R6
	CBZ  R6, done

row:
	NEXT_ROW
	MOVD src+8(FP), R1
	MOVD n+16(FP), R9

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1   (R7), [V4.S4, V5.S4, V6.S4, V7.S4]
	FADD_S4(4, 0, 0)
	FADD_S4(5, 1, 1)
	FADD_S4(6, 2, 2)
	FADD_S4(7, 3, 3)
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R7)
	SUBS   $16, R9
	BNE    loop
	CBNZ   R6, row

done:
	RET

// SCRELU clips register V, given zeros in V30 and ones in V31, and adds its
// square times W to SUM. Like Go's min and max, it preserves NaN.
#define SCRELU(V, VS, WS, SUM) \
	FMAX_S4(30, V, V) \
	FMIN_S4(31, V, V) \
	FMUL_S4(V, V, V)  \
	VFMLA VS, WS, SUM

// func screluDotFloatVector(v, w *float32, n int) float32
TEXT ·screluDotFloatVector(SB), NOSPLIT, $0-28
	MOVD  v+0(FP), R0
	MOVD  w+8(FP), R1
	MOVD  n+16(FP), R9
	FMOVS $1.0, F31
	VDUP  V31.S[0], V31.S4
	VEOR  V30.B16, V30.B16, V30.B16
	VEOR  V16.B16, V16.B16, V16.B16
	VEOR  V17.B16, V17.B16, V17.B16
	VEOR  V18.B16, V18.B16, V18.B16
	VEOR  V19.B16, V19.B16, V19.B16

loop:
	VLD1.P 64(R0), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P 64(R1), [V4.S4, V5.S4, V6.S4, V7.S4]
	SCRELU(0, V0.S4, V4.S4, V16.S4)
	SCRELU(1, V1.S4, V5.S4, V17.S4)
	SCRELU(2, V2.S4, V6.S4, V18.S4)
	SCRELU(3, V3.S4, V7.S4, V19.S4)
	SUBS   $16, R9
	BNE    loop
	FADD_S4(17, 16, 16)
	FADD_S4(19, 18, 18)
	FADD_S4(18, 16, 16)
	FADDP_S4(16, 16, 16)
	FADDP_S4(16, 16, 16)
	FMOVS  F16, ret+24(FP)
	RET

// func screluBackFloatVector(dv, dw, v, w *float32, n int, gradient float32)
TEXT ·screluBackFloatVector(SB), NOSPLIT, $0-44
	MOVD  dv+0(FP), R0
	MOVD  dw+8(FP), R1
	MOVD  v+16(FP), R2
	MOVD  w+24(FP), R3
	MOVD  n+32(FP), R9
	FMOVS gradient+40(FP), F28
	VDUP  V28.S[0], V28.S4
	FADD_S4(28, 28, 29)
	FMOVS $1.0, F31
	VDUP  V31.S[0], V31.S4
	VEOR  V30.B16, V30.B16, V30.B16

loop:
	VLD1.P 16(R2), [V0.S4]
	VLD1.P 16(R3), [V1.S4]
	VLD1   (R1), [V2.S4]
	FMAX_S4(30, 0, 3)        // clipped
	FMIN_S4(31, 3, 3)
	FMUL_S4(3, 3, 4)
	VFMLA  V4.S4, V28.S4, V2.S4
	VST1.P [V2.S4], 16(R1)
	FMUL_S4(1, 29, 1)
	FMUL_S4(3, 1, 1)
	FCMGT_S4(0, 31, 0)       // where it is below one
	VAND   V0.B16, V1.B16, V1.B16
	VST1.P [V1.S4], 16(R0)
	SUBS   $4, R9
	BNE    loop
	RET

// func adamWVector(p, m, v *float32, n int, grads [][]float32, s *AdamWStep)
TEXT ·adamWVector(SB), NOSPLIT, $0-64
	MOVD p+0(FP), R0
	MOVD m+8(FP), R1
	MOVD v+16(FP), R2
	MOVD n+24(FP), R9
	MOVD s+56(FP), R10
	MOVD ZR, R11          // the offset in bytes
	ADD  $AdamWStep_Rate, R10, R3
	VLD1R (R3), [V20.S4]
	ADD  $AdamWStep_Beta1, R10, R3
	VLD1R (R3), [V21.S4]
	ADD  $AdamWStep_Beta2, R10, R3
	VLD1R (R3), [V22.S4]
	ADD  $AdamWStep_Correct1, R10, R3
	VLD1R (R3), [V23.S4]
	ADD  $AdamWStep_Correct2, R10, R3
	VLD1R (R3), [V24.S4]
	ADD  $AdamWStep_Epsilon, R10, R3
	VLD1R (R3), [V25.S4]
	ADD  $AdamWStep_Decay, R10, R3
	VLD1R (R3), [V26.S4]
	ADD  $AdamWStep_Max, R10, R3
	VLD1R (R3), [V27.S4]
	VEOR V30.B16, V30.B16, V30.B16
	FSUB_S4(27, 30, 28)            // -Max
	FMOVS $1.0, F31
	VDUP V31.S[0], V31.S4
	FSUB_S4(21, 31, 29)            // 1 - Beta1
	FSUB_S4(22, 31, 31)            // 1 - Beta2

loop:
	VEOR V0.B16, V0.B16, V0.B16
	MOVD grads_base+32(FP), R5
	MOVD grads_len+40(FP), R6
	CBZ  R6, summed

gradient:
	MOVD.P 24(R5), R7
	ADD    R11, R7
	VLD1   (R7), [V1.S4]
	FADD_S4(1, 0, 0)
	VST1   [V30.S4], (R7)
	SUB    $1, R6
	CBNZ   R6, gradient

summed:
	VLD1   (R1), [V1.S4]
	FMUL_S4(29, 0, 2)
	VFMLA  V1.S4, V21.S4, V2.S4
	VST1.P [V2.S4], 16(R1)
	FMUL_S4(23, 2, 2)
	VLD1   (R2), [V3.S4]
	FMUL_S4(31, 0, 4)
	FMUL_S4(0, 4, 4)
	VFMLA  V3.S4, V22.S4, V4.S4
	VST1.P [V4.S4], 16(R2)
	FMUL_S4(24, 4, 4)
	FSQRT_S4(4, 4)
	FADD_S4(25, 4, 4)
	FDIV_S4(4, 2, 2)
	VLD1   (R0), [V5.S4]
	VFMLA  V5.S4, V26.S4, V2.S4
	VFMLS  V2.S4, V20.S4, V5.S4
	FMAX_S4(28, 5, 5)
	FMIN_S4(27, 5, 5)
	VST1.P [V5.S4], 16(R0)
	ADD    $16, R11
	SUBS   $4, R9
	BNE    loop
	RET

// CLIP sets register d to register V, clipped, given zeros in V30 and ones in
// V31.
#define CLIP(V, d) \
	FMAX_S4(30, V, d) \
	FMIN_S4(31, d, d)

#define ZERO_AND_ONE \
	VEOR  V30.B16, V30.B16, V30.B16 \
	FMOVS $1.0, F31                 \
	VDUP  V31.S[0], V31.S4

// func pairsFloatVector(dst, v *float32, n int)
TEXT ·pairsFloatVector(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD v+8(FP), R1
	MOVD n+16(FP), R9
	ADD  R9<<2, R1, R2
	ZERO_AND_ONE

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P 64(R2), [V4.S4, V5.S4, V6.S4, V7.S4]
	CLIP(0, 0)
	CLIP(1, 1)
	CLIP(2, 2)
	CLIP(3, 3)
	CLIP(4, 4)
	CLIP(5, 5)
	CLIP(6, 6)
	CLIP(7, 7)
	FMUL_S4(4, 0, 0)
	FMUL_S4(5, 1, 1)
	FMUL_S4(6, 2, 2)
	FMUL_S4(7, 3, 3)
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)
	SUBS   $16, R9
	BNE    loop
	RET

// func pairsBackFloatVector(dv, v, gradient *float32, n int)
TEXT ·pairsBackFloatVector(SB), NOSPLIT, $0-32
	MOVD dv+0(FP), R0
	MOVD v+8(FP), R1
	MOVD gradient+16(FP), R3
	MOVD n+24(FP), R9
	ADD  R9<<2, R1, R2
	ADD  R9<<2, R0, R4
	ZERO_AND_ONE

loop:
	VLD1.P 16(R1), [V0.S4]
	VLD1.P 16(R2), [V1.S4]
	VLD1.P 16(R3), [V2.S4]
	CLIP(0, 3)
	CLIP(1, 4)
	FMUL_S4(2, 3, 3)
	FMUL_S4(2, 4, 4)
	FCMGT_S4(0, 31, 5)       // where it is below one
	FCMGT_S4(30, 0, 6)       // and above zero
	VAND   V5.B16, V4.B16, V4.B16
	VAND   V6.B16, V4.B16, V4.B16
	VST1.P [V4.S4], 16(R0)
	FCMGT_S4(1, 31, 5)
	FCMGT_S4(30, 1, 6)
	VAND   V5.B16, V3.B16, V3.B16
	VAND   V6.B16, V3.B16, V3.B16
	VST1.P [V3.S4], 16(R4)
	SUBS   $4, R9
	BNE    loop
	RET

// func nonZeroFloatVector(list *int32, x *float32, n int) int
//
// Every index is stored; it is overwritten by the next one if its element is
// zero.
TEXT ·nonZeroFloatVector(SB), NOSPLIT, $0-32
	MOVD list+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R9
	MOVD ZR, R4            // the index
	MOVD ZR, R5            // the length of the list

loop:
	MOVWU.P 4(R1), R3
	ADD     R5<<2, R0, R6
	MOVW    R4, (R6)
	LSLW    $1, R3         // without the sign
	CMPW    $0, R3
	CINC    NE, R5, R5
	ADD     $1, R4
	CMP     R9, R4
	BLT     loop
	MOVD    R5, ret+24(FP)
	RET

// func mulRowsFloatVector(dst *float32, n int, x, table *float32, list []int32)
TEXT ·mulRowsFloatVector(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD n+8(FP), R2
	MOVD x+16(FP), R1
	MOVD table+24(FP), R3
	LSL  $2, R2, R10          // bytes of a row

block:
	VLD1 (R0), [V0.S4, V1.S4, V2.S4, V3.S4]
	MOVD list_base+32(FP), R5
	MOVD list_len+40(FP), R6
	CBZ  R6, store

row:
	MOVW.P 4(R5), R7
	ADD    R7<<2, R1, R8
	VLD1R  (R8), [V16.S4]
	MUL    R10, R7, R7
	ADD    R3, R7, R7
	VLD1   (R7), [V20.S4, V21.S4, V22.S4, V23.S4]
	VFMLA  V20.S4, V16.S4, V0.S4
	VFMLA  V21.S4, V16.S4, V1.S4
	VFMLA  V22.S4, V16.S4, V2.S4
	VFMLA  V23.S4, V16.S4, V3.S4
	SUB    $1, R6
	CBNZ   R6, row

store:
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)
	ADD    $64, R3
	SUBS   $16, R2
	BNE    block
	RET

// func mulRowsBackFloatVector(dx, dtable, gradient *float32, n int, x, table *float32, list []int32)
TEXT ·mulRowsBackFloatVector(SB), NOSPLIT, $0-72
	MOVD dx+0(FP), R0
	MOVD dtable+8(FP), R1
	MOVD gradient+16(FP), R2
	MOVD n+24(FP), R10
	MOVD x+32(FP), R4
	MOVD table+40(FP), R3
	MOVD list_base+48(FP), R5
	MOVD list_len+56(FP), R6
	CBZ  R6, done
	LSL  $2, R10, R11         // bytes of a row

row:
	MOVW.P 4(R5), R7
	ADD    R7<<2, R4, R8
	VLD1R  (R8), [V16.S4]
	ADD    R7<<2, R0, R8
	MUL    R11, R7, R7
	ADD    R3, R7, R12
	ADD    R1, R7, R13
	MOVD   R2, R14
	MOVD   R10, R9
	VEOR   V0.B16, V0.B16, V0.B16
	VEOR   V1.B16, V1.B16, V1.B16
	VEOR   V2.B16, V2.B16, V2.B16
	VEOR   V3.B16, V3.B16, V3.B16

columns:
	VLD1.P 64(R14), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD1.P 64(R12), [V20.S4, V21.S4, V22.S4, V23.S4]
	VLD1   (R13), [V24.S4, V25.S4, V26.S4, V27.S4]
	VFMLA  V4.S4, V20.S4, V0.S4
	VFMLA  V5.S4, V21.S4, V1.S4
	VFMLA  V6.S4, V22.S4, V2.S4
	VFMLA  V7.S4, V23.S4, V3.S4
	VFMLA  V4.S4, V16.S4, V24.S4
	VFMLA  V5.S4, V16.S4, V25.S4
	VFMLA  V6.S4, V16.S4, V26.S4
	VFMLA  V7.S4, V16.S4, V27.S4
	VST1.P [V24.S4, V25.S4, V26.S4, V27.S4], 64(R13)
	SUBS   $16, R9
	BNE    columns
	FADD_S4(1, 0, 0)
	FADD_S4(3, 2, 2)
	FADD_S4(2, 0, 0)
	FADDP_S4(0, 0, 0)
	FADDP_S4(0, 0, 0)
	FMOVS  F0, (R8)
	SUB    $1, R6
	CBNZ   R6, row

done:
	RET
