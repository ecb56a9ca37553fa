//go:build !purego

#include "textflag.h"

// func Line(p *uint64)
TEXT ·Line(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), AX
	PREFETCHT0 (AX)
	RET

// func Lines(p *[6]*int16)
TEXT ·Lines(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), AX
	MOVQ 0(AX), BX
	MOVQ 8(AX), CX
	PREFETCHT0 (BX)
	PREFETCHT0 (CX)
	MOVQ 16(AX), BX
	MOVQ 24(AX), CX
	PREFETCHT0 (BX)
	PREFETCHT0 (CX)
	MOVQ 32(AX), BX
	MOVQ 40(AX), CX
	PREFETCHT0 (BX)
	PREFETCHT0 (CX)
	RET

#define LINES(offset) \
	PREFETCHT0 offset(AX); \
	PREFETCHT0 offset(BX); \
	PREFETCHT0 offset(CX)

// func Rows(a, b, c *int16)
TEXT ·Rows(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), AX
	MOVQ b+8(FP), BX
	MOVQ c+16(FP), CX
	LINES(0)
	LINES(64)
	LINES(128)
	LINES(192)
	LINES(256)
	LINES(320)
	LINES(384)
	LINES(448)
	LINES(512)
	LINES(576)
	LINES(640)
	LINES(704)
	RET
