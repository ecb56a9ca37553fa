//go:build !unix || aix || solaris

package syzygy

// readRandomly does nothing: there is nothing to tell.
func (m mapping) readRandomly() {}
