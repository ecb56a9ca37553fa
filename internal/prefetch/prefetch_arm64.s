//go:build !purego

#include "textflag.h"

// func Line(p *uint64)
TEXT ·Line(SB), NOSPLIT, $0-8
	MOVD p+0(FP), R0
	PRFM (R0), PLDL1KEEP
	RET

// func Lines(p *[6]*int16)
TEXT ·Lines(SB), NOSPLIT, $0-8
	MOVD p+0(FP), R0
	LDP (R0), (R1, R2)
	PRFM (R1), PLDL1KEEP
	PRFM (R2), PLDL1KEEP
	LDP 16(R0), (R1, R2)
	PRFM (R1), PLDL1KEEP
	PRFM (R2), PLDL1KEEP
	LDP 32(R0), (R1, R2)
	PRFM (R1), PLDL1KEEP
	PRFM (R2), PLDL1KEEP
	RET

#define LINES(offset) \
	PRFM offset(R0), PLDL1KEEP; \
	PRFM offset(R1), PLDL1KEEP; \
	PRFM offset(R2), PLDL1KEEP

// func Rows(a, b, c *int16)
TEXT ·Rows(SB), NOSPLIT, $0-24
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD c+16(FP), R2
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
