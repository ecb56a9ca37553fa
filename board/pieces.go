package board

import "skein/chess"

// drawing is a piece on a square of 100 by 100 units, the y axis downward, as the
// data of SVG paths.
type drawing struct {
	shapes  []string // filled and outlined, later ones in front
	details []string // lines on the shapes
}

// The bases that pieces stand on, and the waists of queen and king above them.
const (
	narrowFoot = "M25 90V85Q25 79 31 79H69Q75 79 75 85V90Z"
	foot       = "M22 90V84Q22 78 28 78H72Q78 78 78 84V90Z"
	waist      = "M36 69H64C65 73 67 76 71 78H29C33 76 35 73 36 69Z"
	collar     = "M30 62H70V69H30Z"
)

// drawings are the pieces by type.
var drawings = [chess.NoPieceType]drawing{
	chess.Pawn: {
		shapes: []string{
			"M34 79C43 71 45 62 45 52H55C55 62 57 71 66 79Z",
			narrowFoot,
			"M50 19A15 15 0 1 1 50 49A15 15 0 1 1 50 19Z",
			"M36 47H64V53H36Z",
		},
	},
	chess.Knight: {
		shapes: []string{
			"M77 78C82 54 78 29 58 21L54 9L46 20C37 25 31 35 23 47C19 53 21 60 28 61L36 59" +
				"C40 55 46 54 51 51C51 60 32 63 31 78Z",
			foot,
		},
		details: []string{"M62 29C71 39 73 55 71 70", "M42 34V34.1", "M28 53V53.1"},
	},
	chess.Bishop: {
		shapes: []string{
			"M50 8A5 5 0 1 1 50 18A5 5 0 1 1 50 8Z",
			"M50 18C62 27 70 36 70 46C70 54 66 59 60 62H40C34 59 30 54 30 46C30 36 38 27 50 18Z",
			"M41 69H59C60 73 63 76 68 78H32C37 76 40 73 41 69Z",
			foot,
			"M35 62H65V69H35Z",
		},
		details: []string{"M59 32L48 46"},
	},
	chess.Rook: {
		shapes: []string{
			"M36 45H64L68 78H32Z",
			foot,
			"M26 20H38V28H44V20H56V28H62V20H74V38L67 45H33L26 38Z",
		},
	},
	chess.Queen: {
		shapes: []string{
			"M31 62L18 33L35 46L34 22L46 43L50 19L54 43L66 22L65 46L82 33L69 62Z",
			"M18 27A4 4 0 1 1 18 35A4 4 0 1 1 18 27Z",
			"M34 16A4 4 0 1 1 34 24A4 4 0 1 1 34 16Z",
			"M50 12A4 4 0 1 1 50 20A4 4 0 1 1 50 12Z",
			"M66 16A4 4 0 1 1 66 24A4 4 0 1 1 66 16Z",
			"M82 27A4 4 0 1 1 82 35A4 4 0 1 1 82 27Z",
			waist, foot, collar,
		},
	},
	chess.King: {
		shapes: []string{
			"M47 6H53V12H59V18H53V27H47V18H41V12H47Z",
			"M36 34Q38 24 50 24Q62 24 64 34Z",
			"M32 62L24 37Q36 30 50 30Q64 30 76 37L68 62Z",
			waist, foot, collar,
		},
	},
}
