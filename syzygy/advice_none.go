//go:build aix || solaris

package syzygy

func advise([]byte) {}
