package cli

// IgnoreClosedPipes does nothing: there are no signals.
func IgnoreClosedPipes() {}
