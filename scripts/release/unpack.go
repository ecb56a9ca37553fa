package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// unpack writes the files of an archive into a folder.
func unpack(archive, dir string) error {
	if strings.HasSuffix(archive, ".zip") {
		return unpackZip(archive, dir)
	}
	return unpackTar(archive, dir)
}

func unpackTar(archive, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for tr := tar.NewReader(zr); ; {
		header, err := tr.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = unpackFile(dir, header.Name, header.FileInfo().Mode(), tr)
		}
		if err != nil {
			return err
		}
	}
}

func unpackZip(archive, dir string) error {
	zr, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer zr.Close()
	for _, f := range zr.File {
		r, err := f.Open()
		if err != nil {
			return err
		}
		if err := errors.Join(unpackFile(dir, f.Name, f.Mode(), r), r.Close()); err != nil {
			return err
		}
	}
	return nil
}

// unpackFile writes one file, whose folders it creates.
func unpackFile(dir, name string, mode os.FileMode, r io.Reader) error {
	name = filepath.FromSlash(name)
	if !filepath.IsLocal(name) {
		return fmt.Errorf("the file %s would be outside the folder", name)
	}
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
