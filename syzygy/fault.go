package syzygy

import (
	"errors"
	"runtime/debug"
	"unsafe"
)

// errFault is the reason of a FileError if the system could not provide a page of a
// mapped file.
var errFault = errors.New("truncated while it was open, or unreadable")

// catchFault is deferred by functions that read a mapping, as in
//
//	defer m.catchFault(&err, debug.SetPanicOnFault(true))
//
// so that a fault within the mapping sets *err to errFault instead of ending the
// process. before is the setting to restore.
func (m *mapping) catchFault(err *error, before bool) {
	debug.SetPanicOnFault(before)
	cause := recover()
	if cause == nil {
		return
	}
	fault, ok := cause.(interface{ Addr() uintptr })
	if !ok || !m.contains(fault.Addr()) {
		panic(cause)
	}
	*err = errFault
}

// contains reports whether the mapping has the address.
func (m *mapping) contains(address uintptr) bool {
	return address-uintptr(unsafe.Pointer(unsafe.SliceData(*m))) < uintptr(len(*m))
}

// value returns the WDL value i of a subtable of the file.
func (f *file) value(sub *subtable, i uint64) (v uint16, err error) {
	defer f.mapping.catchFault(&err, debug.SetPanicOnFault(true))
	return sub.pairs.at(i)
}

// distance returns the DTZ value i of a subtable of the file, as
// [subtable.distance] does.
func (f *file) distance(sub *subtable, i uint64, v WDL) (n int, err error) {
	defer f.mapping.catchFault(&err, debug.SetPanicOnFault(true))
	return sub.distance(i, v)
}
