package input

import (
	"crypto/sha256"
	"io"
)

// Ends returns a checksum of the first and the last 128 KiB of a file of size bytes,
// which tells files of the same size apart.
func Ends(f io.ReaderAt, size int64) ([]byte, error) {
	const part = 1 << 17
	hash := sha256.New()
	for _, from := range []int64{0, max(size-part, 0)} {
		if _, err := io.Copy(hash, io.NewSectionReader(f, from, part)); err != nil {
			return nil, err
		}
	}
	return hash.Sum(nil), nil
}
