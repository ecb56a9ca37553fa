// Package prefetch starts loading memory into the caches ahead of its use. A
// prefetch changes nothing but time, and its addresses need not be valid. Where
// there is no such instruction, or in builds with the tag purego, the functions
// do nothing.
package prefetch
