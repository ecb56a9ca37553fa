package syzygy

import "strings"

// BoardFEN writes the first field of a FEN from letters, 0 where there are none.
func BoardFEN(letters *[64]byte) string {
	var sb strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for _, letter := range append(letters[8*rank:8*rank+8:8*rank+8], '/') {
			if letter == 0 {
				empty++
				continue
			}
			if empty > 0 {
				sb.WriteByte('0' + empty)
			}
			empty = 0
			sb.WriteByte(letter)
		}
	}
	return strings.TrimSuffix(sb.String(), "/")
}
