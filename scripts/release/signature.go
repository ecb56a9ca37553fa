package main

import (
	"bytes"
	"crypto/sha256"
	"debug/macho"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// Numbers of a code signature: of the load command, of its parts, and of what is
// required of them.
//
// Source: Apple, xnu, osfmk/kern/cs_blobs.h.
const (
	loadSignature  = 0x1d
	magicSignature = 0xfade0cc0
	magicDirectory = 0xfade0c02
	flagAdHoc      = 2
	hashSHA256     = 2
)

// codeDirectory is the beginning of the part of a signature that lists the hashes
// of the pages.
type codeDirectory struct {
	Magic, Length, Version, Flags, HashOffset, IdentOffset, SpecialSlots, CodeSlots, CodeLimit uint32

	HashSize, HashType, Platform, PageBits uint8
}

// checkSignature checks that a program for macOS has a signature without a
// certificate, as the Go linker makes it, and that it is that of its bytes.
func checkSignature(exe string) error {
	data, err := os.ReadFile(exe)
	if err != nil {
		return err
	}
	program, err := macho.NewFile(bytes.NewReader(data))
	if err != nil {
		return err
	}
	for _, load := range program.Loads {
		raw := load.Raw()
		if len(raw) < 16 || binary.LittleEndian.Uint32(raw) != loadSignature {
			continue
		}
		from, size := binary.LittleEndian.Uint32(raw[8:]), binary.LittleEndian.Uint32(raw[12:])
		if uint64(from)+uint64(size) > uint64(len(data)) {
			return errors.New("the signature is outside the program")
		}
		if err := checkPages(data, data[from:from+size]); err != nil {
			return fmt.Errorf("signature: %w", err)
		}
		return nil
	}
	return errors.New("the program is not signed")
}

// checkPages compares the hashes of a signature of one part with the pages of the
// program.
func checkPages(program, signature []byte) error {
	// Five words before the directory: magic number, length, number of parts, and
	// kind and offset of the part.
	if len(signature) < 20 || binary.BigEndian.Uint32(signature) != magicSignature ||
		binary.BigEndian.Uint32(signature[8:]) != 1 {
		return errors.New("not one of one part")
	}
	start := binary.BigEndian.Uint32(signature[16:])
	if uint64(start) > uint64(len(signature)) {
		return errors.New("it is cut short")
	}
	signature = signature[start:]
	var d codeDirectory
	if err := binary.Read(bytes.NewReader(signature), binary.BigEndian, &d); err != nil {
		return err
	}
	switch {
	case d.Magic != magicDirectory || d.HashType != hashSHA256 || d.HashSize != sha256.Size || d.PageBits > 16:
		return errors.New("no list of SHA-256 hashes")
	case d.Flags&flagAdHoc == 0:
		return fmt.Errorf("the flags %#x lack that of signing ad hoc", d.Flags)
	case uint64(d.CodeLimit) > uint64(len(program)):
		return errors.New("it covers more than the program")
	}
	program = program[:d.CodeLimit]
	page := 1 << d.PageBits
	if pages := (len(program) + page - 1) / page; pages != int(d.CodeSlots) ||
		uint64(d.HashOffset)+uint64(pages)*sha256.Size > uint64(len(signature)) {
		return fmt.Errorf("%d hashes of %d pages", d.CodeSlots, pages)
	}
	for i := range int(d.CodeSlots) {
		hash := sha256.Sum256(program[i*page : min((i+1)*page, len(program))])
		if !bytes.Equal(hash[:], signature[int(d.HashOffset)+i*sha256.Size:][:sha256.Size]) {
			return fmt.Errorf("the hash of page %d is that of other bytes", i)
		}
	}
	return nil
}
