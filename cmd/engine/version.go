package main

// version is the version of the engine and its tools. A release is tagged with it,
// with a leading v, and CHANGELOG.md has a section with its name.
const version = "0.1.0"
