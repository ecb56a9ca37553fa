package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"
)

// file is a file in an archive. The first one is the program.
type file struct {
	name string
	mode int64
	data []byte
}

// readFiles reads a program and the files packed with it.
func readFiles(program string, others ...string) ([]file, error) {
	var files []file
	for i, name := range append([]string{program}, others...) {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		mode := int64(0o644)
		if i == 0 {
			mode = 0o755
		}
		files = append(files, file{filepath.Base(name), mode, data})
	}
	return files, nil
}

// writeTar writes a compressed archive with the time stamp for all files and
// without user names.
func writeTar(w io.Writer, folder string, files []file, stamp time.Time) error {
	zw, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(zw)
	for _, f := range files {
		header := &tar.Header{Name: path.Join(folder, f.name), Mode: f.mode, Size: int64(len(f.data)), ModTime: stamp,
			Format: tar.FormatUSTAR}
		if err := tw.WriteHeader(header); err != nil {
			return err
		}
		if _, err := tw.Write(f.data); err != nil {
			return err
		}
	}
	return errors.Join(tw.Close(), zw.Close())
}

// writeZip is writeTar for Windows.
func writeZip(w io.Writer, folder string, files []file, stamp time.Time) error {
	zw := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: stamp}
		header.SetMode(os.FileMode(f.mode))
		entry, err := zw.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.data); err != nil {
			return err
		}
	}
	return zw.Close()
}
