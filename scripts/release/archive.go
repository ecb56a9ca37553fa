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

// file is a file in an archive.
type file struct {
	name string // with slashes, relative to the folder in the archive
	mode int64
	data []byte
}

// readFiles reads a program, which is packed under its last name, and documents,
// which are packed under their relative paths.
func readFiles(program string, documents ...string) ([]file, error) {
	data, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	files := []file{{filepath.Base(program), 0o755, data}}
	for _, name := range documents {
		if data, err = os.ReadFile(name); err != nil {
			return nil, err
		}
		files = append(files, file{filepath.ToSlash(name), 0o644, data})
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
