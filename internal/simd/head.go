package simd

const (
	// FirstNeurons and SecondNeurons are the numbers of neurons of the layers of
	// a head.
	FirstNeurons  = 16
	SecondNeurons = 32

	// HeadOne is the activation of 1 in a head, and the upper limit of all of
	// them.
	HeadOne = 8128

	// HeadShift tells the unit of the weights of the second layer and of the
	// output: 1/2^HeadShift.
	HeadShift = 9
)
