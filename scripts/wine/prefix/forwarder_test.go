package prefix

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"strings"
	"testing"
)

// TestForwarder reads the library with debug/pe and follows its export.
func TestForwarder(t *testing.T) {
	dll, err := forwarder("some.dll", "Function", "other.Another")
	if err != nil {
		t.Fatal(err)
	}
	file, err := pe.NewFile(bytes.NewReader(dll))
	if err != nil || len(file.Sections) != 1 {
		t.Fatal(err)
	}
	section := file.Sections[0]
	data, err := section.Data()
	if err != nil {
		t.Fatal(err)
	}
	u32 := func(address uint32) uint32 { return binary.LittleEndian.Uint32(data[address-section.VirtualAddress:]) }
	text := func(address uint32) string {
		s, _, _ := strings.Cut(string(data[address-section.VirtualAddress:]), "\x00")
		return s
	}
	directory := file.OptionalHeader.(*pe.OptionalHeader64).DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT]
	field := func(i uint32) uint32 { return u32(directory.VirtualAddress + 4*i) }
	target := u32(field(7))
	inside := target >= directory.VirtualAddress && target < directory.VirtualAddress+directory.Size
	if got := text(field(3)) + " " + text(u32(field(8))) + " " +
		text(target); got != "some.dll Function other.Another" || !inside {
		t.Errorf("%s, target in the directory: %v", got, inside)
	}
	if _, err := forwarder("some.dll", strings.Repeat("F", 500), "other.Another"); err == nil {
		t.Error("a name that leaves no room")
	}
}
