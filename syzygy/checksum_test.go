package syzygy

import (
	"encoding/binary"
	"testing"
)

// TestChecksum compares checksums with those of the program that makes tables, for
// more than one chunk and as many values of chunks as large files have: none of the
// test data has two.
func TestChecksum(t *testing.T) {
	data := make([]byte, chunkSize+240)
	for i := range data {
		data[i] = byte(uint32(i) * 2654435761 >> 24)
	}
	for n, want := range map[int]pair{
		32:   {0x9411f38ecd9e4e7c, 0x5c32ff46cb9a3e38},
		64:   {0xc23abe19401a73b1, 0xf7440c4cfc4b63b5},
		128:  {0xe4c75879b29290e8, 0xb14b00b68f4d6420},
		160:  {0x3548ae261ad236c2, 0x34abea3e38de96e7},
		256:  {0x62b986a22a0f1f72, 0x7e11ca08cd507c44},
		896:  {0x364abd5dd14e8248, 0xd752f1ca23684978},
		928:  {0x7b0c5c87344abe26, 0x96b8ecc6f7d8965a},
		4096: {0x3c9bf398713ebd08, 0x0f9202f8415474bb},
	} {
		if got := cityCrc128(data[:n]); got != want {
			t.Errorf("CityHashCrc128 of %d bytes: %x, want %x", n, got, want)
		}
	}
	for n, want := range map[int]pair{
		chunkSize + 100: {0xf2c3746aeec02f37, 0x70e26385d3c3692f},
		chunkSize + 240: {0x651c524ddb66abe0, 0xd5f1cd475d455ead},
	} {
		sum := checksum(data[:n])
		got := pair{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
		if got != want {
			t.Errorf("checksum of %d bytes: %x, want %x", n, got, want)
		}
	}
}
