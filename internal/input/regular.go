package input

import (
	"fmt"
	"io/fs"
	"os"
)

// Stat returns information about a regular file. Any other is an error that names
// it: to open or read a pipe or a terminal may take forever.
func Stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	return info, err
}
