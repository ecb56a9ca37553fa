//go:build !purego

#include "textflag.h"

// func prefetch(c *cluster)
TEXT ·prefetch(SB), NOSPLIT, $0-8
	MOVD c+0(FP), R0
	PRFM (R0), PLDL1KEEP
	RET
