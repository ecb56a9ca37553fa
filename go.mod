module skein

go 1.26.0

require golang.org/x/sys v0.49.0

require github.com/klauspost/cpuid/v2 v2.4.2

require (
	github.com/klauspost/compress v1.20.3
	github.com/spf13/pflag v1.1.0
	golang.org/x/term v0.47.0
)
