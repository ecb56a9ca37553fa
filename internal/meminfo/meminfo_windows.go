package meminfo

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var globalMemoryStatusEx = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// memoryStatus is what globalMemoryStatusEx fills in; sizes are in bytes.
//
// Source: Microsoft, Windows API, MEMORYSTATUSEX.
type memoryStatus struct {
	length                    uint32 // of the struct
	load                      uint32 // in percent
	totalPhys, availPhys      uint64
	totalCommit, availCommit  uint64 // memory and page files, as far as the process may use them
	totalAddress, freeAddress uint64
	reserved                  uint64
}

// available returns the least of the free physical memory, the memory that the
// system can still promise, and the free addresses of the process.
func available() (free uint64, limit string, ok bool) {
	status := memoryStatus{length: uint32(unsafe.Sizeof(memoryStatus{}))}
	if success, _, _ := globalMemoryStatusEx.Call(uintptr(unsafe.Pointer(&status))); success == 0 {
		return 0, "", false
	}
	free = min(status.availPhys, status.availCommit)
	if status.freeAddress < free {
		return status.freeAddress, "to the process", true
	}
	return free, "in the system", true
}
