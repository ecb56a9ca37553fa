// A module of its own, so that the other libraries are no dependencies of Skein.
module skein/scripts/compare

go 1.26.0

require (
	github.com/corentings/chess/v2 v2.3.2
	skein v0.0.0
)

require golang.org/x/exp v0.0.0-20250128182459-e0ece0dbea4c // indirect

replace skein => ../..
