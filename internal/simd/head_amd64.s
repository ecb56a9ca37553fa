//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// Heads use AVX2 at both vector levels.

DATA clipped<>+0(SB)/2, $const_Clip
GLOBL clipped<>(SB), RODATA|NOPTR, $2

DATA one<>+0(SB)/2, $1
GLOBL one<>(SB), RODATA|NOPTR, $2

DATA most<>+0(SB)/2, $const_HeadOne
GLOBL most<>(SB), RODATA|NOPTR, $2

DATA mostsum<>+0(SB)/4, $(const_HeadOne << const_HeadShift)
GLOBL mostsum<>(SB), RODATA|NOPTR, $4

// PRODUCTS sets V to 16 products of the neurons at p and their partners at q,
// both plus at and 8*CX bytes, given zeros in Y6 and limits in Y7: the upper
// half of (a<<7) * b is a*b >> 9. It is negative where b is, which VPACKUSWB
// turns into zero.
#define PRODUCTS(p, q, at, V, W) \
	VPMAXSW at(p)(CX*8), Y6, V \
	VPMINSW at(q)(CX*8), Y7, W \
	VPMINSW Y7, V, V           \
	VPSLLW  $7, V, V           \
	VPMULHW W, V, V

// PAIR adds to the sums in Y4 to Y7 two activations times their weights, 128
// bytes at R9. The activations are a part of each half of A, selected by order.
#define PAIR(order, at, A) \
	VPSHUFD  $order, A, Y8          \
	VPMADDWD (at+0)(R9), Y8, Y9     \
	VPMADDWD (at+32)(R9), Y8, Y10   \
	VPMADDWD (at+64)(R9), Y8, Y11   \
	VPMADDWD (at+96)(R9), Y8, Y12   \
	VPADDD   Y9, Y4, Y4             \
	VPADDD   Y10, Y5, Y5            \
	VPADDD   Y11, Y6, Y6            \
	VPADDD   Y12, Y7, Y7

// EIGHT is PAIR for the four pairs in the half of V that permutation selects
// for both halves.
#define EIGHT(permutation, at, V) \
	VPERMQ $permutation, V, Y3     \
	PAIR(0x00, at, Y3)             \
	PAIR(0x55, (at+128), Y3)       \
	PAIR(0xaa, (at+256), Y3)       \
	PAIR(0xff, (at+384), Y3)

// ACTIVATE converts sums of the second layer to activations, given zeros in Y13
// and the largest sums in Y14.
#define ACTIVATE(V) \
	VPMAXSD V, Y13, V              \
	VPMINSD V, Y14, V              \
	VPSRLD  $const_HeadShift, V, V

// func headVector(h *Head, sums *int32, us, them *int16, n int, products *uint8) int64
TEXT ·headVector(SB), NOSPLIT, $0-56
	MOVQ         h+0(FP), BX
	MOVQ         us+16(FP), SI
	MOVQ         them+24(FP), DI
	MOVQ         n+32(FP), R11
	MOVQ         products+40(FP), R8
	MOVQ         Head_first(BX), R9
	MOVQ         Head_firstBias(BX), R10
	VMOVDQU      (R10), Y0
	VMOVDQU      32(R10), Y1
	VPXOR        Y6, Y6, Y6
	VPBROADCASTW clipped<>(SB), Y7
	VPBROADCASTW one<>(SB), Y8

side:
	LEAQ (SI)(R11*1), R12    // the partners, and the end of the neurons
	MOVQ R12, DX

	// Up to 256 products, 32 per iteration. One bit of R10 for each block of
	// four is set if any of them is not zero; CX counts the blocks up to R13.
part:
	MOVQ    DX, R13
	SUBQ    SI, R13
	SHRQ    $3, R13
	CMPQ    R13, $64
	JBE     fits
	MOVQ    $64, R13

fits:
	XORQ R10, R10
	XORQ CX, CX

products:
	PRODUCTS(SI, R12, 0, Y2, Y3)
	PRODUCTS(SI, R12, 32, Y4, Y5)
	VPACKUSWB Y4, Y2, Y2
	VPERMQ    $0xd8, Y2, Y2
	VMOVDQU   Y2, (R8)(CX*4)
	VPCMPGTD  Y6, Y2, Y2
	VMOVMSKPS Y2, AX
	SHLQ      CX, AX
	ORQ       AX, R10
	ADDQ      $8, CX
	CMPQ      CX, R13
	JB        products
	TESTQ     R10, R10
	JZ        next

	// Multiply the nonzero blocks by their 64 weights. As products and weights
	// are at most 127, the sums of VPMADDUBSW fit 16 bits.
nonzero:
	TZCNTQ       R10, AX                // BSF on a processor that lacks it, which does
	LEAQ         -1(R10), BX
	VPBROADCASTD (R8)(AX*4), Y2
	SHLQ         $6, AX
	VPMADDUBSW   (R9)(AX*1), Y2, Y3
	VPMADDUBSW   32(R9)(AX*1), Y2, Y4
	VPMADDWD     Y8, Y3, Y3
	VPMADDWD     Y8, Y4, Y4
	VPADDD       Y3, Y0, Y0
	VPADDD       Y4, Y1, Y1
	ANDQ         BX, R10
	JNZ          nonzero

next:
	LEAQ  (R8)(CX*4), R8
	LEAQ  (SI)(CX*8), SI
	LEAQ  (R12)(CX*8), R12
	SHLQ  $6, CX
	ADDQ  CX, R9
	CMPQ  SI, DX
	JB    part
	MOVQ  DI, SI
	XORQ  DI, DI
	TESTQ SI, SI
	JNZ   side

	MOVQ    sums+8(FP), R8
	VMOVDQU Y0, (R8)
	VMOVDQU Y1, 32(R8)

	// The sums as 16 bits, clipped on both sides; in Y1 also at zero, and in Y2
	// their squares.
	VPXOR        Y13, Y13, Y13
	VPBROADCASTW most<>(SB), Y14
	VPSUBW       Y14, Y13, Y15
	VPACKSSDW    Y1, Y0, Y0
	VPERMQ       $0xd8, Y0, Y0
	VPMINSW      Y14, Y0, Y0
	VPMAXSW      Y15, Y0, Y0
	VPMAXSW      Y13, Y0, Y1
	VPSLLW       $2, Y0, Y2
	VPADDW       Y0, Y0, Y0
	VPMULHW      Y0, Y2, Y2              // 4s * 2s >> 16 is s² >> 13

	MOVQ    h+0(FP), BX
	MOVQ    Head_second(BX), R9
	MOVQ    Head_secondBias(BX), R10
	MOVQ    Head_output(BX), R11
	VMOVDQU (R10), Y4
	VMOVDQU 32(R10), Y5
	VMOVDQU 64(R10), Y6
	VMOVDQU 96(R10), Y7
	EIGHT(0x44, 0, Y1)
	EIGHT(0xee, 512, Y1)
	EIGHT(0x44, 1024, Y2)
	EIGHT(0xee, 1536, Y2)

	VPBROADCASTD mostsum<>(SB), Y14
	ACTIVATE(Y4)
	ACTIVATE(Y5)
	ACTIVATE(Y6)
	ACTIVATE(Y7)
	VPACKSSDW    Y5, Y4, Y4
	VPACKSSDW    Y7, Y6, Y6
	VPERMQ       $0xd8, Y4, Y4
	VPERMQ       $0xd8, Y6, Y6
	VPMADDWD     (R11), Y4, Y4
	VPMADDWD     32(R11), Y6, Y6

	// Sixteen products still fit 32 bits: 16*8128*16383 < 2^31.
	VPADDD       Y6, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD       X5, X4, X4
	VPSHUFD      $0x4e, X4, X5
	VPADDD       X5, X4, X4
	VMOVQ        X4, AX
	MOVLQSX      AX, BX
	SARQ         $32, AX
	ADDQ         BX, AX
	MOVQ         AX, ret+48(FP)
	VZEROUPPER
	RET
