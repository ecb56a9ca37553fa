/*
Package syzygy probes Syzygy endgame tablebases: the result of every position
of up to seven men without castling rights, and the distance to the next
capture or pawn move under best play, which is what it takes to win inside the
fifty-move rule. It is pure Go.

	tables := syzygy.Open("/tables/345:/tables/6", func(err error) { log.Print(err) })
	defer tables.Close()
	if position.Occupied().Count() <= tables.Largest() {
		result, err := tables.ProbeWDL(&position)
		...
	}

[Open] only lists folders; a file is mapped into memory by the
first probe that needs it. [Tables.ProbeWDL] is for use inside a search: it takes
no lock and allocates nothing, and any number of goroutines may call it at once.
[Tables.ProbeDTZ] and [Tables.Rank] are for the root.

A file that is missing, truncated or corrupt makes the probes that need it fail
with an error, and is reported once. Headers are checked when a file is opened,
and so is the checksum of files of up to eight megabytes. In larger ones all that
is read is checked for validity, but damage that still decodes is only detected by
[Tables.Verify]. A file must not be changed or truncated while it is open: the
operating system would kill the process.

# Files

An ending is named by its men, the stronger side first: KRPvKR. KRPvKR.rtbw has
the results (WDL: win, draw, loss) for either side to move; KRPvKR.rtbz has the
distances (DTZ: distance to zeroing of the halfmove clock), as a rule for one
side to move. The other side's distance is found by looking one move ahead.
Numbers are little-endian. A file is made of

  - four bytes that identify the kind of file;
  - a byte of flags: 1 if the sides have different men, 2 if there are pawns (the
    upper half holds the number of men);
  - the order of men (see Index) for each subtable;
  - the header of each compressed array (see Compression), from an even offset;
  - for DTZ, the lists of values (see Values), and up to an even offset;
  - the sparse indexes of all arrays, then the lengths of blocks of all, then the
    blocks of each, from a multiple of 64;
  - a checksum of 16 bytes (see below).

There is a subtable for each side to move in WDL files, unless the sides have the
same men and the board can be turned, and for each of the files a to d that the
leading pawn can stand on, in endings with pawns. Where there are two sides,
their order of men is in the lower and upper halves of the same bytes.

The checksum is CityHashCrc128 of the CityHashCrc256 values of all chunks of
2^24 bytes before it.

# Index

A subtable is an array, and the placement of the men determines the index. Colors are
first exchanged, and the board turned with them if there are pawns, so that the
men are those of the file. The men come in groups, in an order that compresses
well, which the file gives as a list of men (1-6 for pawn to king, 8 more for
Black) and the place of the leading group among the factors:

	index = n0*f0 + n1*f1 + ...

where n is the number of the group's placement, and f the product of the
numbers of placements of all groups that count less.

The leading group takes up the symmetries of the board. Without pawns there are
eight. The first man is brought into the triangle a1-d1-d4 by reflections, and the
first leading man off the diagonal a1-h8 is brought below it. The leading men
are

  - three different men, of each of which there is only one, where there are so
    many: 6*63*62 placements with the first one off the diagonal, 4*28*62 with the
    first one on it and the second off it, 4*7*28 with only the third off it,
    4*7*6 with all on it, together 31332;
  - or else the two kings, of which 462 placements do not touch.

With pawns there is one symmetry, of files. The leading group are the pawns of one
color, and among them leads the one nearest to the edge, then the one farthest
back, which is brought to the files a to d. Pawn squares are numbered downwards
from 47 in this order, a2, h2, a3, h3, ..., b2, g2, ...; the other leading pawns
stand on squares with lower numbers than the leading one. Each file has a
subtable.

The second group are the pawns of the other color, if both have some, on the 48
squares of pawns less those taken. Every other group are the men of one kind, on
the squares that the groups before have left. k men of a kind on squares
s1 < s2 < ... < sk, counted among those that are left, have the number

	C(s1, 1) + C(s2, 2) + ... + C(sk, k)

the combinatorial number system. The leading pawns are numbered in the same way.

# Compression

An array of values is compressed by recursive pairing: the pair of neighbors that
is most frequent becomes a new symbol, again and again, up to 4095 symbols. A
symbol is three bytes, two numbers of twelve bits: the left and right symbols of
a pair, or a value and 0xfff. A symbol stands for at most 256 values.

Symbols are written in a canonical Huffman code, most significant bit first, into
blocks of equal size of some dozens of bytes; no symbol crosses the end of a
block. The header of an array tells

  - a byte of flags (see Values; 128 if all values are the same, which is then
    the next byte, and there is no more);
  - the size of blocks, 2^n bytes, and the span of the sparse index, 2^n values;
  - by how many entries the list of lengths is longer than that of blocks (one
    byte), and the number of blocks (four);
  - the longest and the shortest code, in bits, and for each length, from the
    shortest, the first symbol with a code of so many bits (two bytes each);
  - the number of symbols (two bytes) and the symbols, up to an even offset.

Among codes of equal length symbols ascend. Longer codes are smaller numbers:
the least code of the longest is 0, and that of length n-1 follows from the one
of length n and the number of symbols between them. So the length of the next
code is told by comparing the next 64 bits with the least code of each length,
aligned to the left. A table made when the file is opened tells of the next ten
bits how many values the codes in them hold, so that those before the one looked
for are passed over several at a time.

To find value i, the sparse index has an entry for each span, six bytes, that
tells in which block and at which place in it the value in the middle of the
span is. From there the lengths of blocks (number of values less one, two bytes
each) lead forward or backward to the block of value i. Its symbols are then
decoded one by one, and the values they stand for counted, until the one that
holds value i, and that is followed down its tree of pairs.

# Values

WDL has the values 0 to 4: loss, blessed loss, draw, cursed win, win, for the
side to move. Cursed wins and blessed losses are wins and losses that take too
long for the fifty-move rule. Positions in which a capture achieves as much as is
possible may have any lower value. So a probe first plays out the captures; and
since tables know nothing of en passant, such a capture is then compared with the
rest, and counts alone where there is no other move.

DTZ has distances less one, of positions that are won or lost and in which the
winner has no capture or pawn move that wins at once. Flags of the array tell

  - 1: Black is to move in the positions of this subtable;
  - 2: values are places in a list; there is one each for wins, losses, cursed
    wins and blessed losses, in this order, with its length before it;
  - 4 and 8: wins and losses are counted in plies, not in moves. They are where
    rounding up would change a result;
  - 16: the lists and their lengths have two bytes an entry, from an even offset.

Cursed wins and blessed losses are always counted in moves, and 100 is added.

# References

Ronald de Man made the tables and their format: https://github.com/syzygy1/tb and
https://github.com/syzygy1/probetool. The format is described by the generator and
by the probers Fathom (https://github.com/jdart1/Fathom), python-chess
(https://github.com/niklasf/python-chess) and shakmaty-syzygy
(https://github.com/niklasf/shakmaty-syzygy). Further sources are named where they
are used. Tables may be freely redistributed: https://tablebase.lichess.ovh.
*/
package syzygy
