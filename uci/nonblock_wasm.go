package uci

// nonBlocking is not needed: there are no FIFOs.
const nonBlocking = 0
