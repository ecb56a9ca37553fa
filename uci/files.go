package uci

import (
	"fmt"
	"os"
)

// CheckRegular returns an error that names path unless it is a regular file. To
// open or read others, such as pipes and terminals, may take forever.
func CheckRegular(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", path)
	}
	return err
}
