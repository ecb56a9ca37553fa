//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// The kernels of single rows use one vector register per iteration and one
// index register, which was faster than unrolled loops. Byte index AX runs to
// CX; AVX-512 processes the last 16 elements, if any, in a YMM register.

// One vector of dst = src + add - sub, and of the other kernels.
#define ADD_SUB(MOV, V, dst, src, add, sub) \
	MOV    (src)(AX*1), V    \
	VPADDW (add)(AX*1), V, V \
	VPSUBW (sub)(AX*1), V, V \
	MOV    V, (dst)(AX*1)

#define ADD_SUB_SUB(MOV, V, dst, src, add, sub1, sub2) \
	MOV    (src)(AX*1), V     \
	VPADDW (add)(AX*1), V, V  \
	VPSUBW (sub1)(AX*1), V, V \
	VPSUBW (sub2)(AX*1), V, V \
	MOV    V, (dst)(AX*1)

// START sets CX to the number of bytes.
#define START \
	ADDQ CX, CX \
	XORQ AX, AX

// NEXT ends an iteration of the AVX2 loop.
#define NEXT \
	ADDQ $32, AX \
	CMPQ AX, CX  \
	JB   loop    \
	VZEROUPPER

// START512 sets DX to the part of CX that fills whole ZMM registers, and skips
// the loop if that is zero.
#define START512 \
	START         \
	MOVQ CX, DX   \
	ANDQ $-64, DX \
	JZ   tail512

// NEXT512 ends an iteration of the AVX-512 loop, and skips the tail if there is
// none.
#define NEXT512 \
	ADDQ $64, AX \
	CMPQ AX, DX  \
	JB   loop512 \
	CMPQ AX, CX  \
	JAE  done512

// func addSubPairVector(dst, src, addA, subA, addB, subB *int16, n int)
TEXT ·addSubPairVector(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ addA+16(FP), R8
	MOVQ subA+24(FP), R9
	MOVQ addB+32(FP), R10
	MOVQ subB+40(FP), R11
	MOVQ n+48(FP), CX
	LEAQ (DI)(CX*2), R12    // the second halves
	LEAQ (SI)(CX*2), R13
	CMPB ·useAVX512(SB), $0
	JNE  avx512
	START

loop:
	ADD_SUB(VMOVDQU, Y0, DI, SI, R8, R9)
	ADD_SUB(VMOVDQU, Y1, R12, R13, R10, R11)
	NEXT
	RET

avx512:
	START512

loop512:
	ADD_SUB(VMOVDQU64, Z0, DI, SI, R8, R9)
	ADD_SUB(VMOVDQU64, Z1, R12, R13, R10, R11)
	NEXT512

tail512:
	ADD_SUB(VMOVDQU, Y0, DI, SI, R8, R9)
	ADD_SUB(VMOVDQU, Y1, R12, R13, R10, R11)

done512:
	VZEROUPPER
	RET

// func addSubSubPairVector(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B *int16, n int)
TEXT ·addSubSubPairVector(SB), NOSPLIT, $0-72
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ addA+16(FP), R8
	MOVQ sub1A+24(FP), R9
	MOVQ sub2A+32(FP), R10
	MOVQ addB+40(FP), R11
	MOVQ sub1B+48(FP), BX
	MOVQ n+64(FP), CX
	LEAQ (DI)(CX*2), R12    // the second halves
	LEAQ (SI)(CX*2), R13
	CMPB ·useAVX512(SB), $0
	MOVQ sub2B+56(FP), R15  // not before: in plugins access to a global uses R15
	JNE  avx512
	START

loop:
	ADD_SUB_SUB(VMOVDQU, Y0, DI, SI, R8, R9, R10)
	ADD_SUB_SUB(VMOVDQU, Y1, R12, R13, R11, BX, R15)
	NEXT
	RET

avx512:
	START512

loop512:
	ADD_SUB_SUB(VMOVDQU64, Z0, DI, SI, R8, R9, R10)
	ADD_SUB_SUB(VMOVDQU64, Z1, R12, R13, R11, BX, R15)
	NEXT512

tail512:
	ADD_SUB_SUB(VMOVDQU, Y0, DI, SI, R8, R9, R10)
	ADD_SUB_SUB(VMOVDQU, Y1, R12, R13, R11, BX, R15)

done512:
	VZEROUPPER
	RET

// The rows of a list are added to a block of columns in registers, then to the
// next block. DI, SI and DX point to the block in dst, src and table; CX is the number
// of remaining elements, AX the index in the list. NEXT_ROW sets R11 to the
// address of row AX.
#define NEXT_ROW(list) \
	MOVLQSX (list)(AX*4), R11 \
	LEAQ    (DX)(R11*2), R11  \
	INCQ    AX

#define NEXT_BLOCK(bytes, elements) \
	ADDQ $bytes, DI    \
	ADDQ $bytes, SI    \
	ADDQ $bytes, DX    \
	SUBQ $elements, CX

// Blocks: 1, 4 and 8 YMM registers, 2 and 8 ZMM registers.
#define LOAD_Y1 \
	VMOVDQU (SI), Y0

#define ADD_Y1 \
	VPADDW (R11), Y0, Y0

#define SUB_Y1 \
	VPSUBW (R11), Y0, Y0

#define STORE_Y1 \
	VMOVDQU Y0, (DI)

#define LOAD_Y4 \
	VMOVDQU (SI), Y0   \
	VMOVDQU 32(SI), Y1 \
	VMOVDQU 64(SI), Y2 \
	VMOVDQU 96(SI), Y3

#define ADD_Y4 \
	VPADDW (R11), Y0, Y0   \
	VPADDW 32(R11), Y1, Y1 \
	VPADDW 64(R11), Y2, Y2 \
	VPADDW 96(R11), Y3, Y3

#define SUB_Y4 \
	VPSUBW (R11), Y0, Y0   \
	VPSUBW 32(R11), Y1, Y1 \
	VPSUBW 64(R11), Y2, Y2 \
	VPSUBW 96(R11), Y3, Y3

#define STORE_Y4 \
	VMOVDQU Y0, (DI)   \
	VMOVDQU Y1, 32(DI) \
	VMOVDQU Y2, 64(DI) \
	VMOVDQU Y3, 96(DI)

#define LOAD_Y8 \
	VMOVDQU (SI), Y0    \
	VMOVDQU 32(SI), Y1  \
	VMOVDQU 64(SI), Y2  \
	VMOVDQU 96(SI), Y3  \
	VMOVDQU 128(SI), Y4 \
	VMOVDQU 160(SI), Y5 \
	VMOVDQU 192(SI), Y6 \
	VMOVDQU 224(SI), Y7

#define ADD_Y8 \
	VPADDW (R11), Y0, Y0    \
	VPADDW 32(R11), Y1, Y1  \
	VPADDW 64(R11), Y2, Y2  \
	VPADDW 96(R11), Y3, Y3  \
	VPADDW 128(R11), Y4, Y4 \
	VPADDW 160(R11), Y5, Y5 \
	VPADDW 192(R11), Y6, Y6 \
	VPADDW 224(R11), Y7, Y7

#define SUB_Y8 \
	VPSUBW (R11), Y0, Y0    \
	VPSUBW 32(R11), Y1, Y1  \
	VPSUBW 64(R11), Y2, Y2  \
	VPSUBW 96(R11), Y3, Y3  \
	VPSUBW 128(R11), Y4, Y4 \
	VPSUBW 160(R11), Y5, Y5 \
	VPSUBW 192(R11), Y6, Y6 \
	VPSUBW 224(R11), Y7, Y7

#define STORE_Y8 \
	VMOVDQU Y0, (DI)    \
	VMOVDQU Y1, 32(DI)  \
	VMOVDQU Y2, 64(DI)  \
	VMOVDQU Y3, 96(DI)  \
	VMOVDQU Y4, 128(DI) \
	VMOVDQU Y5, 160(DI) \
	VMOVDQU Y6, 192(DI) \
	VMOVDQU Y7, 224(DI)

#define LOAD_Z2 \
	VMOVDQU64 (SI), Z0   \
	VMOVDQU64 64(SI), Z1

#define ADD_Z2 \
	VPADDW (R11), Z0, Z0   \
	VPADDW 64(R11), Z1, Z1

#define SUB_Z2 \
	VPSUBW (R11), Z0, Z0   \
	VPSUBW 64(R11), Z1, Z1

#define STORE_Z2 \
	VMOVDQU64 Z0, (DI)   \
	VMOVDQU64 Z1, 64(DI)

#define LOAD_Z8 \
	VMOVDQU64 (SI), Z0    \
	VMOVDQU64 64(SI), Z1  \
	VMOVDQU64 128(SI), Z2 \
	VMOVDQU64 192(SI), Z3 \
	VMOVDQU64 256(SI), Z4 \
	VMOVDQU64 320(SI), Z5 \
	VMOVDQU64 384(SI), Z6 \
	VMOVDQU64 448(SI), Z7

#define ADD_Z8 \
	VPADDW (R11), Z0, Z0    \
	VPADDW 64(R11), Z1, Z1  \
	VPADDW 128(R11), Z2, Z2 \
	VPADDW 192(R11), Z3, Z3 \
	VPADDW 256(R11), Z4, Z4 \
	VPADDW 320(R11), Z5, Z5 \
	VPADDW 384(R11), Z6, Z6 \
	VPADDW 448(R11), Z7, Z7

#define SUB_Z8 \
	VPSUBW (R11), Z0, Z0    \
	VPSUBW 64(R11), Z1, Z1  \
	VPSUBW 128(R11), Z2, Z2 \
	VPSUBW 192(R11), Z3, Z3 \
	VPSUBW 256(R11), Z4, Z4 \
	VPSUBW 320(R11), Z5, Z5 \
	VPSUBW 384(R11), Z6, Z6 \
	VPSUBW 448(R11), Z7, Z7

#define STORE_Z8 \
	VMOVDQU64 Z0, (DI)    \
	VMOVDQU64 Z1, 64(DI)  \
	VMOVDQU64 Z2, 128(DI) \
	VMOVDQU64 Z3, 192(DI) \
	VMOVDQU64 Z4, 256(DI) \
	VMOVDQU64 Z5, 320(DI) \
	VMOVDQU64 Z6, 384(DI) \
	VMOVDQU64 Z7, 448(DI)

// ROWS adds the rows of the list at R8 to the blocks of as many bytes and
// elements, and subtracts those of the list at R12. It goes on at next once
// fewer elements than a block remain; the other labels are its own.
#define ROWS(block, adding, added, subtracting, store, next, bytes, elements, LOAD, ADD, SUB, STORE) \
block:                          \
	CMPQ CX, $elements          \
	JB   next                   \
	LOAD                        \
	XORQ AX, AX                 \
adding:                         \
	CMPQ AX, R9                 \
	JAE  added                  \
	NEXT_ROW(R8)                \
	ADD                         \
	JMP  adding                 \
added:                          \
	XORQ AX, AX                 \
subtracting:                    \
	CMPQ AX, R13                \
	JAE  store                  \
	NEXT_ROW(R12)               \
	SUB                         \
	JMP  subtracting            \
store:                          \
	STORE                       \
	NEXT_BLOCK(bytes, elements) \
	JMP  block

// func addSubRowsVector(dst, src *int16, n int, table *int16, add, sub []int32)
TEXT ·addSubRowsVector(SB), NOSPLIT, $0-80
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ table+24(FP), DX
	MOVQ add_base+32(FP), R8
	MOVQ add_len+40(FP), R9
	MOVQ sub_base+56(FP), R12
	MOVQ sub_len+64(FP), R13
	CMPB ·useAVX512(SB), $0
	JNE  avx512

	ROWS(y8, y8add, y8added, y8sub, y8store, y4, 256, 128, LOAD_Y8, ADD_Y8, SUB_Y8, STORE_Y8)
	ROWS(y4, y4add, y4added, y4sub, y4store, y1, 128, 64, LOAD_Y4, ADD_Y4, SUB_Y4, STORE_Y4)
	ROWS(y1, y1add, y1added, y1sub, y1store, done, 32, 16, LOAD_Y1, ADD_Y1, SUB_Y1, STORE_Y1)

done:
	VZEROUPPER
	RET

avx512:
	ROWS(z8, z8add, z8added, z8sub, z8store, z2, 512, 256, LOAD_Z8, ADD_Z8, SUB_Z8, STORE_Z8)
	ROWS(z2, z2add, z2added, z2sub, z2store, tail, 128, 64, LOAD_Z2, ADD_Z2, SUB_Z2, STORE_Z2)
	ROWS(tail, tailadd, tailadded, tailsub, tailstore, done512, 32, 16, LOAD_Y1, ADD_Y1, SUB_Y1, STORE_Y1)

done512:
	VZEROUPPER
	RET

// SCRELU adds clamp(v)² * w to 32-bit sums, given zeros in ZERO and limits in
// LIMIT. As |clamp(v) * w| < 32768, products are in the low halves.
#define SCRELU(v, w, V, W, ZERO, LIMIT, SUM) \
	VPMAXSW  (v)(AX*1), ZERO, V \
	VPMINSW  LIMIT, V, V        \
	VPMULLW  (w)(AX*1), V, W    \
	VPMADDWD V, W, W            \
	VPADDD   W, SUM, SUM

DATA clip<>+0(SB)/2, $const_Clip
GLOBL clip<>(SB), RODATA|NOPTR, $2

// func screluDotVector(a, b, w *int16, n int) int32
TEXT ·screluDotVector(SB), NOSPLIT, $0-36
	MOVQ         a+0(FP), SI
	MOVQ         b+8(FP), DI
	MOVQ         w+16(FP), R8
	MOVQ         n+24(FP), CX
	LEAQ         (R8)(CX*2), R9     // the second half of the weights
	CMPB         ·useAVX512(SB), $0
	JNE          avx512
	VPXOR        Y6, Y6, Y6
	VPBROADCASTW clip<>(SB), Y7
	VPXOR        Y2, Y2, Y2
	VPXOR        Y5, Y5, Y5
	START

loop:
	SCRELU(SI, R8, Y0, Y1, Y6, Y7, Y2)
	SCRELU(DI, R9, Y3, Y4, Y6, Y7, Y5)
	ADDQ         $32, AX
	CMPQ         AX, CX
	JB           loop
	VPADDD       Y5, Y2, Y2
	VEXTRACTI128 $1, Y2, X3
	VPADDD       X3, X2, X2
	VPSHUFD      $0x4e, X2, X3
	VPADDD       X3, X2, X2
	VPSHUFD      $0xb1, X2, X3
	VPADDD       X3, X2, X2
	VMOVD        X2, AX
	MOVL         AX, ret+32(FP)
	VZEROUPPER
	RET

avx512:
	VPXOR        Y6, Y6, Y6
	VPBROADCASTW clip<>(SB), Z7
	VPXOR        Y2, Y2, Y2
	VPXOR        Y5, Y5, Y5
	START512

loop512:
	SCRELU(SI, R8, Z0, Z1, Z6, Z7, Z2)
	SCRELU(DI, R9, Z3, Z4, Z6, Z7, Z5)
	ADDQ          $64, AX
	CMPQ          AX, DX
	JB            loop512
	VPADDD        Z5, Z2, Z2
	VEXTRACTI64X4 $1, Z2, Y3
	VPADDD        Y3, Y2, Y2
	CMPQ          AX, CX
	JAE           done512

tail512:  // AVX2 instructions, which clear the upper halves of their destinations
	SCRELU(SI, R8, Y0, Y1, Y6, Y7, Y2)
	SCRELU(DI, R9, Y3, Y4, Y6, Y7, Y2)

done512:
	VEXTRACTI128 $1, Y2, X3
	VPADDD       X3, X2, X2
	VPSHUFD      $0x4e, X2, X3
	VPADDD       X3, X2, X2
	VPSHUFD      $0xb1, X2, X3
	VPADDD       X3, X2, X2
	VMOVD        X2, AX
	MOVL         AX, ret+32(FP)
	VZEROUPPER
	RET
