package prefix

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"fmt"
)

// forwarder returns a library for 64-bit Windows without code, whose one function
// is that of another library, named as in "advapi32.SystemFunction036".
//
// Source: Microsoft, "PE Format", on the export directory table.
func forwarder(library, function, to string) ([]byte, error) {
	const (
		headers, section = 0x200, 0x1000 // where the only section is, in the file and in memory
		table            = 10 * 4        // bytes of the directory, then an address, a name and an ordinal
		names            = section + table + 4 + 4 + 2
	)
	text := library + "\x00" + function + "\x00" + to + "\x00"
	size := uint32(names - section + len(text))
	if size > headers {
		return nil, fmt.Errorf("the names of %s are too long", library)
	}
	functionName := uint32(names + len(library) + 1)
	target := functionName + uint32(len(function)) + 1
	directory := [10]uint32{3: names, 4: 1, 5: 1, 6: 1, 7: section + table, 8: section + table + 4,
		9: section + table + 8}

	optional := pe.OptionalHeader64{
		Magic: 0x20b, SizeOfInitializedData: headers, ImageBase: 0x180000000, SectionAlignment: section,
		FileAlignment:               headers,
		MajorOperatingSystemVersion: 6, MajorSubsystemVersion: 6, SizeOfImage: 2 * section, SizeOfHeaders: headers,
		Subsystem: pe.IMAGE_SUBSYSTEM_WINDOWS_CUI, DllCharacteristics: pe.IMAGE_DLLCHARACTERISTICS_NX_COMPAT,
		NumberOfRvaAndSizes: 16,
	}
	optional.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT] = pe.DataDirectory{VirtualAddress: section, Size: size}

	var file bytes.Buffer
	parts := []any{
		[64]byte{0: 'M', 1: 'Z', 60: 64}, [4]byte{'P', 'E'},
		pe.FileHeader{Machine: pe.IMAGE_FILE_MACHINE_AMD64, NumberOfSections: 1,
			SizeOfOptionalHeader: uint16(binary.Size(optional)),
			Characteristics: pe.IMAGE_FILE_EXECUTABLE_IMAGE | pe.IMAGE_FILE_LARGE_ADDRESS_AWARE |
				pe.IMAGE_FILE_DLL},
		optional,
		pe.SectionHeader32{Name: [8]uint8{'.', 'e', 'd', 'a', 't', 'a'}, VirtualSize: size, VirtualAddress: section,
			SizeOfRawData: headers, PointerToRawData: headers,
			Characteristics: pe.IMAGE_SCN_CNT_INITIALIZED_DATA | pe.IMAGE_SCN_MEM_READ},
	}
	for _, part := range parts {
		if err := binary.Write(&file, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	file.Write(make([]byte, headers-file.Len()))
	for _, part := range []any{directory, target, functionName, uint16(0), []byte(text)} {
		if err := binary.Write(&file, binary.LittleEndian, part); err != nil {
			return nil, err
		}
	}
	file.Write(make([]byte, 2*headers-file.Len()))
	return file.Bytes(), nil
}
