//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// As in kernels_amd64.s, byte index AX runs to CX in kernels that process their
// vectors once, 16 elements per iteration: two YMM registers or one ZMM.
#define START \
	SHLQ $2, CX \
	XORQ AX, AX

#define NEXT(label) \
	ADDQ $64, AX \
	CMPQ AX, CX  \
	JB   label

// NEXT_ROW sets R11 to the address of row AX of the list, in the block of
// columns at DX.
#define NEXT_ROW(list) \
	MOVLQSX (list)(AX*4), R11 \
	LEAQ    (DX)(R11*4), R11  \
	INCQ    AX

#define NEXT_BLOCK(bytes, elements) \
	ADDQ $bytes, DI    \
	ADDQ $bytes, SI    \
	ADDQ $bytes, DX    \
	SUBQ $elements, CX

// Blocks of columns are kept in registers while the rows are added: 8 and 2 YMM
// registers, 8, 4 and 1 ZMM registers.
#define LOAD_Y2(p) \
	VMOVUPS (p), Y0   \
	VMOVUPS 32(p), Y1

#define ADD_Y2 \
	VADDPS (R11), Y0, Y0   \
	VADDPS 32(R11), Y1, Y1

#define STORE_Y2 \
	VMOVUPS Y0, (DI)   \
	VMOVUPS Y1, 32(DI)

#define LOAD_Y8(p) \
	LOAD_Y2(p)          \
	VMOVUPS 64(p), Y2   \
	VMOVUPS 96(p), Y3   \
	VMOVUPS 128(p), Y4  \
	VMOVUPS 160(p), Y5  \
	VMOVUPS 192(p), Y6  \
	VMOVUPS 224(p), Y7

#define ADD_Y8 \
	ADD_Y2                  \
	VADDPS 64(R11), Y2, Y2  \
	VADDPS 96(R11), Y3, Y3  \
	VADDPS 128(R11), Y4, Y4 \
	VADDPS 160(R11), Y5, Y5 \
	VADDPS 192(R11), Y6, Y6 \
	VADDPS 224(R11), Y7, Y7

#define STORE_Y8 \
	STORE_Y2            \
	VMOVUPS Y2, 64(DI)  \
	VMOVUPS Y3, 96(DI)  \
	VMOVUPS Y4, 128(DI) \
	VMOVUPS Y5, 160(DI) \
	VMOVUPS Y6, 192(DI) \
	VMOVUPS Y7, 224(DI)

#define LOAD_Z1(p) \
	VMOVUPS (p), Z0

#define ADD_Z1 \
	VADDPS (R11), Z0, Z0

#define STORE_Z1 \
	VMOVUPS Z0, (DI)

#define LOAD_Z4(p) \
	LOAD_Z1(p)          \
	VMOVUPS 64(p), Z1   \
	VMOVUPS 128(p), Z2  \
	VMOVUPS 192(p), Z3

#define ADD_Z4 \
	ADD_Z1                  \
	VADDPS 64(R11), Z1, Z1  \
	VADDPS 128(R11), Z2, Z2 \
	VADDPS 192(R11), Z3, Z3

#define STORE_Z4 \
	STORE_Z1            \
	VMOVUPS Z1, 64(DI)  \
	VMOVUPS Z2, 128(DI) \
	VMOVUPS Z3, 192(DI)

#define LOAD_Z8(p) \
	LOAD_Z4(p)          \
	VMOVUPS 256(p), Z4  \
	VMOVUPS 320(p), Z5  \
	VMOVUPS 384(p), Z6  \
	VMOVUPS 448(p), Z7

#define ADD_Z8 \
	ADD_Z4                  \
	VADDPS 256(R11), Z4, Z4 \
	VADDPS 320(R11), Z5, Z5 \
	VADDPS 384(R11), Z6, Z6 \
	VADDPS 448(R11), Z7, Z7

#define STORE_Z8 \
	STORE_Z4            \
	VMOVUPS Z4, 256(DI) \
	VMOVUPS Z5, 320(DI) \
	VMOVUPS Z6, 384(DI) \
	VMOVUPS Z7, 448(DI)

// func sumRowsFloatVector(dst, bias *float32, n int, table *float32, rows []int32)
TEXT ·sumRowsFloatVector(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ bias+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ table+24(FP), DX
	MOVQ rows_base+32(FP), R8
	MOVQ rows_len+40(FP), R9
	CMPB ·useAVX512(SB), $0
	JNE  z8

y8:
	CMPQ CX, $64
	JB   y2
	LOAD_Y8(SI)
	XORQ AX, AX

y8add:
	CMPQ AX, R9
	JAE  y8store
	NEXT_ROW(R8)
	ADD_Y8
	JMP  y8add

y8store:
	STORE_Y8
	NEXT_BLOCK(256, 64)
	JMP y8

y2:
	CMPQ CX, $16
	JB   done
	LOAD_Y2(SI)
	XORQ AX, AX

y2add:
	CMPQ AX, R9
	JAE  y2store
	NEXT_ROW(R8)
	ADD_Y2
	JMP  y2add

y2store:
	STORE_Y2
	NEXT_BLOCK(64, 16)
	JMP y2

z8:
	CMPQ CX, $128
	JB   z4
	LOAD_Z8(SI)
	XORQ AX, AX

z8add:
	CMPQ AX, R9
	JAE  z8store
	NEXT_ROW(R8)
	ADD_Z8
	JMP  z8add

z8store:
	STORE_Z8
	NEXT_BLOCK(512, 128)
	JMP z8

z4:
	CMPQ CX, $64
	JB   z1
	LOAD_Z4(SI)
	XORQ AX, AX

z4add:
	CMPQ AX, R9
	JAE  z4store
	NEXT_ROW(R8)
	ADD_Z4
	JMP  z4add

z4store:
	STORE_Z4
	NEXT_BLOCK(256, 64)
	JMP z4

z1:
	CMPQ CX, $16
	JB   done
	LOAD_Z1(SI)
	XORQ AX, AX

z1add:
	CMPQ AX, R9
	JAE  z1store
	NEXT_ROW(R8)
	ADD_Z1
	JMP  z1add

z1store:
	STORE_Z1
	NEXT_BLOCK(64, 16)
	JMP z1

done:
	VZEROUPPER
	RET

// func addToRowsFloatVector(table, src *float32, n int, rows []int32)
TEXT ·addToRowsFloatVector(SB), NOSPLIT, $0-48
	MOVQ table+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ rows_base+24(FP), R8
	MOVQ rows_len+32(FP), R9
	SHLQ $2, CX
	LEAQ (R8)(R9*4), R9     // the end of the list

nextrow:
	CMPQ    R8, R9
	JAE     done
	MOVLQSX (R8), DX
	ADDQ    $4, R8
	LEAQ    (DI)(DX*4), DX
	XORQ    AX, AX
	CMPB    ·useAVX512(SB), $0
	JNE     loop512

loop:
	VMOVUPS (SI)(AX*1), Y0
	VMOVUPS 32(SI)(AX*1), Y1
	VADDPS  (DX)(AX*1), Y0, Y0
	VADDPS  32(DX)(AX*1), Y1, Y1
	VMOVUPS Y0, (DX)(AX*1)
	VMOVUPS Y1, 32(DX)(AX*1)
	NEXT(loop)
	JMP     nextrow

loop512:
	VMOVUPS (SI)(AX*1), Z0
	VADDPS  (DX)(AX*1), Z0, Z0
	VMOVUPS Z0, (DX)(AX*1)
	NEXT(loop512)
	JMP     nextrow

done:
	VZEROUPPER
	RET

DATA one<>+0(SB)/4, $1.0
GLOBL one<>(SB), RODATA|NOPTR, $4

// SCRELU adds clamp(v)² * w to sums, given zeros in ZERO and ones in ONE. Like
// Go's min and max, it preserves NaN.
#define SCRELU(off, V, ZERO, ONE, SUM) \
	VMAXPS      off(SI)(AX*1), ZERO, V     \
	VMINPS      V, ONE, V                  \
	VMULPS      V, V, V                    \
	VFMADD231PS off(R8)(AX*1), V, SUM

// func screluDotFloatVector(v, w *float32, n int) float32
TEXT ·screluDotFloatVector(SB), NOSPLIT, $0-28
	MOVQ   v+0(FP), SI
	MOVQ   w+8(FP), R8
	MOVQ   n+16(FP), CX
	VXORPS Y6, Y6, Y6
	VXORPS Y2, Y2, Y2
	VXORPS Y5, Y5, Y5
	START
	CMPB   ·useAVX512(SB), $0
	JNE    avx512
	VBROADCASTSS one<>(SB), Y7

loop:
	SCRELU(0, Y0, Y6, Y7, Y2)
	SCRELU(32, Y1, Y6, Y7, Y5)
	NEXT(loop)

sum:
	VADDPS       Y5, Y2, Y2
	VEXTRACTF128 $1, Y2, X3
	VADDPS       X3, X2, X2
	VPERMILPS    $0x4e, X2, X3
	VADDPS       X3, X2, X2
	VPERMILPS    $0xb1, X2, X3
	VADDSS       X3, X2, X2
	VMOVSS       X2, ret+24(FP)
	VZEROUPPER
	RET

avx512:
	VBROADCASTSS one<>(SB), Z7

loop512:
	SCRELU(0, Z0, Z6, Z7, Z2)
	NEXT(loop512)
	VEXTRACTF64X4 $1, Z2, Y5
	JMP           sum

// SCRELU_BACK computes a vector of both gradients, given zeros in ZERO, ones in
// ONE, g in G and 2g in G2. LESS sets V to zero where it is not less than ONE.
#define SCRELU_BACK(off, V, C, T, ZERO, ONE, G, G2, LESS) \
	VMOVUPS     off(SI)(AX*1), V    \
	VMAXPS      V, ZERO, C          \
	VMINPS      C, ONE, C           \
	VMULPS      C, G, T             \
	VMULPS      C, T, T             \
	VADDPS      off(R9)(AX*1), T, T \
	VMOVUPS     T, off(R9)(AX*1)    \
	VMULPS      off(R8)(AX*1), G2, T \
	LESS(V, ONE, C)                 \
	VMULPS      C, T, T             \
	VMOVUPS     T, off(DI)(AX*1)

#define LESS_Y(V, ONE, C) \
	VCMPPS $1, ONE, V, V \
	VANDPS C, V, C

#define LESS_Z(V, ONE, C) \
	VCMPPS    $1, ONE, V, K1 \
	VMOVAPS.Z C, K1, C

// func screluBackFloatVector(dv, dw, v, w *float32, n int, gradient float32)
TEXT ·screluBackFloatVector(SB), NOSPLIT, $0-44
	MOVQ   dv+0(FP), DI
	MOVQ   dw+8(FP), R9
	MOVQ   v+16(FP), SI
	MOVQ   w+24(FP), R8
	MOVQ   n+32(FP), CX
	VXORPS Y6, Y6, Y6
	START
	CMPB   ·useAVX512(SB), $0
	JNE    avx512
	VBROADCASTSS one<>(SB), Y7
	VBROADCASTSS gradient+40(FP), Y8
	VADDPS       Y8, Y8, Y9

loop:
	SCRELU_BACK(0, Y0, Y1, Y2, Y6, Y7, Y8, Y9, LESS_Y)
	SCRELU_BACK(32, Y3, Y4, Y5, Y6, Y7, Y8, Y9, LESS_Y)
	NEXT(loop)
	VZEROUPPER
	RET

avx512:
	VBROADCASTSS one<>(SB), Z7
	VBROADCASTSS gradient+40(FP), Z8
	VADDPS       Z8, Z8, Z9

loop512:
	SCRELU_BACK(0, Z0, Z1, Z2, Z6, Z7, Z8, Z9, LESS_Z)
	NEXT(loop512)
	VZEROUPPER
	RET

// GRADIENT sets G to the sum of a vector of each of R9 gradients, whose slice
// headers are at R8, and sets those vectors to ZERO.
#define GRADIENT(label, end, G, ZERO) \
	VMOVAPS ZERO, G          \
	MOVQ   R8, R10           \
	MOVQ   R9, R11           \
	TESTQ  R11, R11          \
	JZ     end               \
label:                       \
	MOVQ   (R10), R12        \
	VADDPS (R12)(AX*1), G, G \
	VMOVUPS ZERO, (R12)(AX*1) \
	ADDQ   $24, R10          \
	DECQ   R11               \
	JNZ    label             \
end:

// ADAMW makes the step for a vector of parameters at DI with moments at SI and
// DX, given the gradient in G and constants.
#define ADAMW(G, T, U, B1, N1, B2, N2, C1, C2, EPS, RATE, DECAY, LOW, HIGH) \
	VMULPS      G, N1, T            \
	VFMADD231PS (SI)(AX*1), B1, T   \
	VMOVUPS     T, (SI)(AX*1)       \
	VMULPS      C1, T, T            \
	VMULPS      G, N2, U            \
	VMULPS      G, U, U             \
	VFMADD231PS (DX)(AX*1), B2, U   \
	VMOVUPS     U, (DX)(AX*1)       \
	VMULPS      C2, U, U            \
	VSQRTPS     U, U                \
	VADDPS      EPS, U, U           \
	VDIVPS      U, T, T             \
	VMOVUPS     (DI)(AX*1), U       \
	VFMADD231PS U, DECAY, T         \
	VFNMADD231PS T, RATE, U         \
	VMAXPS      U, LOW, U           \
	VMINPS      U, HIGH, U          \
	VMOVUPS     U, (DI)(AX*1)

// func adamWVector(p, m, v *float32, n int, grads [][]float32, s *AdamWStep)
TEXT ·adamWVector(SB), NOSPLIT, $0-64
	MOVQ p+0(FP), DI
	MOVQ m+8(FP), SI
	MOVQ v+16(FP), DX
	MOVQ n+24(FP), CX
	MOVQ grads_base+32(FP), R8
	MOVQ grads_len+40(FP), R9
	MOVQ s+56(FP), BX
	SHLQ $2, CX
	XORQ AX, AX
	CMPB ·useAVX512(SB), $0
	JNE  avx512
	VBROADCASTSS one<>(SB), Y0
	VBROADCASTSS AdamWStep_Beta1(BX), Y4
	VSUBPS       Y4, Y0, Y5
	VBROADCASTSS AdamWStep_Beta2(BX), Y6
	VSUBPS       Y6, Y0, Y7
	VBROADCASTSS AdamWStep_Correct1(BX), Y8
	VBROADCASTSS AdamWStep_Correct2(BX), Y9
	VBROADCASTSS AdamWStep_Epsilon(BX), Y10
	VBROADCASTSS AdamWStep_Rate(BX), Y11
	VBROADCASTSS AdamWStep_Decay(BX), Y12
	VBROADCASTSS AdamWStep_Max(BX), Y13
	VXORPS       Y3, Y3, Y3
	VSUBPS       Y13, Y3, Y14

loop:
	GRADIENT(gradient, gradientdone, Y0, Y3)
	ADAMW(Y0, Y1, Y2, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y14, Y13)
	ADDQ $32, AX
	CMPQ AX, CX
	JB   loop
	VZEROUPPER
	RET

avx512:
	VBROADCASTSS one<>(SB), Z0
	VBROADCASTSS AdamWStep_Beta1(BX), Z4
	VSUBPS       Z4, Z0, Z5
	VBROADCASTSS AdamWStep_Beta2(BX), Z6
	VSUBPS       Z6, Z0, Z7
	VBROADCASTSS AdamWStep_Correct1(BX), Z8
	VBROADCASTSS AdamWStep_Correct2(BX), Z9
	VBROADCASTSS AdamWStep_Epsilon(BX), Z10
	VBROADCASTSS AdamWStep_Rate(BX), Z11
	VBROADCASTSS AdamWStep_Decay(BX), Z12
	VBROADCASTSS AdamWStep_Max(BX), Z13
	VPXORD       Z3, Z3, Z3
	VSUBPS       Z13, Z3, Z14

loop512:
	GRADIENT(gradient512, gradientdone512, Z0, Z3)
	ADAMW(Z0, Z1, Z2, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z14, Z13)
	ADDQ $64, AX
	CMPQ AX, CX
	JB   loop512
	VZEROUPPER
	RET

// CLIP sets V to the vector at an address, clipped to ZERO..ONE. Like Go's min
// and max, it preserves NaN.
#define CLIP(address, V, ZERO, ONE) \
	VMAXPS address, ZERO, V \
	VMINPS V, ONE, V

// func pairsFloatVector(dst, v *float32, n int)
TEXT ·pairsFloatVector(SB), NOSPLIT, $0-24
	MOVQ         dst+0(FP), DI
	MOVQ         v+8(FP), SI
	MOVQ         n+16(FP), CX
	LEAQ         (SI)(CX*4), R8
	VXORPS       Y6, Y6, Y6
	VBROADCASTSS one<>(SB), Y7
	START

loop:
	CLIP((SI)(AX*1), Y0, Y6, Y7)
	CLIP((R8)(AX*1), Y1, Y6, Y7)
	CLIP(32(SI)(AX*1), Y2, Y6, Y7)
	CLIP(32(R8)(AX*1), Y3, Y6, Y7)
	VMULPS  Y1, Y0, Y0
	VMULPS  Y3, Y2, Y2
	VMOVUPS Y0, (DI)(AX*1)
	VMOVUPS Y2, 32(DI)(AX*1)
	NEXT(loop)
	VZEROUPPER
	RET

// PAIRS_BACK sets D to G * C where 0 < V < 1, given zeros in Y6 and ones in Y7.
#define PAIRS_BACK(V, C, G, D) \
	VMULPS C, G, C       \
	VCMPPS $1, Y7, V, D  \
	VANDPS D, C, C       \
	VCMPPS $1, V, Y6, D  \
	VANDPS D, C, D

// func pairsBackFloatVector(dv, v, gradient *float32, n int)
TEXT ·pairsBackFloatVector(SB), NOSPLIT, $0-32
	MOVQ         dv+0(FP), DI
	MOVQ         v+8(FP), SI
	MOVQ         gradient+16(FP), R9
	MOVQ         n+24(FP), CX
	LEAQ         (SI)(CX*4), R8
	LEAQ         (DI)(CX*4), R10
	VXORPS       Y6, Y6, Y6
	VBROADCASTSS one<>(SB), Y7
	SHLQ         $2, CX
	XORQ         AX, AX

loop:
	VMOVUPS (SI)(AX*1), Y0
	VMOVUPS (R8)(AX*1), Y1
	VMOVUPS (R9)(AX*1), Y2
	CLIP(Y0, Y3, Y6, Y7)
	CLIP(Y1, Y4, Y6, Y7)
	PAIRS_BACK(Y0, Y4, Y2, Y5)
	PAIRS_BACK(Y1, Y3, Y2, Y0)
	VMOVUPS Y5, (DI)(AX*1)
	VMOVUPS Y0, (R10)(AX*1)
	ADDQ    $32, AX
	CMPQ    AX, CX
	JB      loop
	VZEROUPPER
	RET

DATA eight<>+0(SB)/4, $8
GLOBL eight<>(SB), RODATA|NOPTR, $4

// func nonZeroFloatVector(list *int32, x *float32, n int) int
//
// The indices of eight lanes are stored together, those of nonzero lanes first;
// the next store overwrites the rest.
TEXT ·nonZeroFloatVector(SB), NOSPLIT, $0-32
	MOVQ         list+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), CX
	LEAQ         ·lanes(SB), R8
	VXORPS       Y1, Y1, Y1
	VPXOR        Y2, Y2, Y2       // the index of the first lane, in every lane
	VPBROADCASTD eight<>(SB), Y3
	XORQ         AX, AX

loop:
	VCMPPS    $4, (SI)(AX*4), Y1, Y0
	VMOVMSKPS Y0, R9
	VPMOVZXBD (R8)(R9*8), Y4
	VPADDD    Y2, Y4, Y4
	VMOVDQU   Y4, (DI)
	POPCNTL   R9, R9
	LEAQ      (DI)(R9*4), DI
	VPADDD    Y3, Y2, Y2
	ADDQ      $8, AX
	CMPQ      AX, CX
	JB        loop
	SUBQ      list+0(FP), DI
	SHRQ      $2, DI
	MOVQ      DI, ret+24(FP)
	VZEROUPPER
	RET

// MUL_ROW adds to A and B the product for the list element at index AX plus i
// bytes, in the block of columns at DX.
#define MUL_ROW(i, A, B) \
	MOVLQSX      i(R8)(AX*4), R11 \
	VBROADCASTSS (SI)(R11*4), Y8      \
	IMULQ        R10, R11             \
	VFMADD231PS  (DX)(R11*1), Y8, A   \
	VFMADD231PS  32(DX)(R11*1), Y8, B

// func mulRowsFloatVector(dst *float32, n int, x, table *float32, list []int32)
TEXT ·mulRowsFloatVector(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ x+16(FP), SI
	MOVQ table+24(FP), DX
	MOVQ list_base+32(FP), R8
	MOVQ list_len+40(FP), R9
	MOVQ R9, R12
	ANDQ $-4, R12
	MOVQ CX, R10
	SHLQ $2, R10               // bytes of a row

block:
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VXORPS  Y2, Y2, Y2
	VXORPS  Y3, Y3, Y3
	VXORPS  Y4, Y4, Y4
	VXORPS  Y5, Y5, Y5
	VXORPS  Y6, Y6, Y6
	VXORPS  Y7, Y7, Y7
	XORQ    AX, AX

four:
	CMPQ AX, R12
	JAE  rest
	MUL_ROW(0, Y0, Y1)
	MUL_ROW(4, Y2, Y3)
	MUL_ROW(8, Y4, Y5)
	MUL_ROW(12, Y6, Y7)
	ADDQ $4, AX
	JMP  four

rest:
	CMPQ AX, R9
	JAE  sum
	MUL_ROW(0, Y0, Y1)
	INCQ AX
	JMP  rest

sum:
	VADDPS  Y2, Y0, Y0
	VADDPS  Y6, Y4, Y4
	VADDPS  Y4, Y0, Y0
	VADDPS  Y3, Y1, Y1
	VADDPS  Y7, Y5, Y5
	VADDPS  Y5, Y1, Y1
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	ADDQ    $64, DI
	ADDQ    $64, DX
	SUBQ    $16, CX
	JNZ     block
	VZEROUPPER
	RET

// BACK_ROW processes the list element at R8 plus i bytes: it adds to 16 columns
// of its row of dtable, and sets SUM to the terms of the dot product.
#define BACK_ROW(i, SUM) \
	MOVLQSX      i(R8), BX               \
	VBROADCASTSS (SI)(BX*4), Y8          \
	SHLQ         $6, BX                  \
	VMULPS       (DX)(BX*1), Y10, SUM    \
	VFMADD231PS  32(DX)(BX*1), Y11, SUM  \
	VMOVAPS      Y8, Y9                  \
	VFMADD213PS  (R12)(BX*1), Y10, Y8    \
	VFMADD213PS  32(R12)(BX*1), Y11, Y9  \
	VMOVUPS      Y8, (R12)(BX*1)         \
	VMOVUPS      Y9, 32(R12)(BX*1)

// func mulRowsBackFloatVector(dx, dtable, gradient *float32, n int, x, table *float32, list []int32)
TEXT ·mulRowsBackFloatVector(SB), NOSPLIT, $0-72
	MOVQ dx+0(FP), DI
	MOVQ dtable+8(FP), R12
	MOVQ gradient+16(FP), R13
	MOVQ n+24(FP), R10
	MOVQ x+32(FP), SI
	MOVQ table+40(FP), DX
	MOVQ list_base+48(FP), R8
	MOVQ list_len+56(FP), R9
	LEAQ (R8)(R9*4), R9       // the end of the list
	SHLQ $2, R10              // bytes of a row
	CMPQ R10, $64
	JNE  row
	VMOVUPS (R13), Y10
	VMOVUPS 32(R13), Y11

four:
	LEAQ         16(R8), R11
	CMPQ         R11, R9
	JA           rest
	BACK_ROW(0, Y0)
	BACK_ROW(4, Y1)
	BACK_ROW(8, Y2)
	BACK_ROW(12, Y3)
	VHADDPS      Y1, Y0, Y0
	VHADDPS      Y3, Y2, Y2
	VHADDPS      Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	MOVLQSX      (R8), AX
	MOVLQSX      4(R8), BX
	MOVLQSX      8(R8), CX
	MOVLQSX      12(R8), R13
	VMOVSS       X0, (DI)(AX*4)
	VEXTRACTPS   $1, X0, (DI)(BX*4)
	VEXTRACTPS   $2, X0, (DI)(CX*4)
	VEXTRACTPS   $3, X0, (DI)(R13*4)
	MOVQ         R11, R8
	JMP          four

rest:
	MOVQ gradient+16(FP), R13
	CMPQ R8, R9
	JAE  done

row:
	MOVLQSX      (R8), BX
	ADDQ         $4, R8
	VBROADCASTSS (SI)(BX*4), Y8
	MOVQ         BX, R11
	IMULQ        R10, R11
	LEAQ         (DX)(R11*1), AX
	ADDQ         R12, R11
	VXORPS       Y0, Y0, Y0
	VXORPS       Y1, Y1, Y1
	XORQ         CX, CX

columns:
	VMOVUPS     (R13)(CX*1), Y2
	VMOVUPS     32(R13)(CX*1), Y3
	VFMADD231PS (AX)(CX*1), Y2, Y0
	VFMADD231PS 32(AX)(CX*1), Y3, Y1
	VFMADD213PS (R11)(CX*1), Y8, Y2
	VFMADD213PS 32(R11)(CX*1), Y8, Y3
	VMOVUPS     Y2, (R11)(CX*1)
	VMOVUPS     Y3, 32(R11)(CX*1)
	ADDQ        $64, CX
	CMPQ        CX, R10
	JB          columns

	VADDPS       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS       X1, X0, X0
	VPERMILPS    $0x4e, X0, X1
	VADDPS       X1, X0, X0
	VPERMILPS    $0xb1, X0, X1
	VADDSS       X1, X0, X0
	VMOVSS       X0, (DI)(BX*4)
	CMPQ         R8, R9
	JB           row

done:
	VZEROUPPER
	RET
