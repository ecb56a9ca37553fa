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

[Open] only lists folders; a file is mapped into memory by the first probe that
needs it. [Tables.ProbeWDL] is for use inside a search: it takes no lock and
allocates nothing, and any number of goroutines may call it at once.
[Tables.ProbeDTZ], [Tables.Rank] and [Tables.RankUntil] are for the root.

A file that is missing, truncated or corrupt makes the probes that need it fail
with an error, and is reported once. Headers are checked when a file is opened,
and so is the checksum of files of up to eight megabytes. In larger ones all that
is read is checked for validity, but damage that still decodes is only detected by
[Tables.Verify]. A file that is truncated while it is open counts as corrupt from
the first probe that misses a part of it. Other changes to an open file may go
unnoticed: replace tables by renaming, not by copying over them.

# Files

An ending is named by its men, the stronger side first: KRPvKR. KRPvKR.rtbw has
the results (WDL: win, draw, loss) for either side to move; KRPvKR.rtbz has the
distances (DTZ: distance to zeroing of the halfmove clock), as a rule for one side
to move. The other side's distance is found by looking one move ahead. Numbers are
little-endian. A file is made of

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
leading pawn can stand on, in endings with pawns. Where there are two sides, their
order of men is in the lower and upper halves of the same bytes.

The checksum is CityHashCrc128 of the CityHashCrc256 values of all chunks of 2^24
bytes before it.

# Index

A subtable is an array, and the placement of the men determines the index. Colors
are first exchanged, and the board turned with them if there are pawns, so that
the men are those of the file. The men come in groups, in an order that compresses
well, which the file gives as a list of men (1-6 for pawn to king, 8 more for
Black) and the place of the leading group among the factors:

	index = n0*f0 + n1*f1 + ...

where n is the number of the group's placement, and f the product of the numbers
of placements of all groups with smaller factors.

The leading group is normalized by the symmetries of the board. Without pawns
there are eight. Reflections move the first man into the triangle a1-d1-d4, and
the first leading man off the diagonal a1-h8 below it. The leading men are

  - three different men, if there are three kinds with only one man: 6*63*62
    placements with the first one off the diagonal, 4*28*62 with the first one on
    it and the second off it, 4*7*28 with only the third off it, 4*7*6 with all on
    it, together 31332;
  - otherwise the two kings, which have 462 placements that are not adjacent.

With pawns there is one symmetry, of files. The leading group consists of the
pawns of one color. Its leading pawn is the one nearest to the edge, among those
the one farthest back, and is moved to the files a to d. Pawn squares are numbered
downward from 47 in this order, a2, h2, a3, h3, ..., b2, g2, ...; the other pawns
of the group are on squares with lower numbers than the leading pawn. Each file
has a subtable.

If both colors have pawns, the second group consists of the pawns of the other
color, on the remaining pawn squares. Every other group consists of the men of one
kind, on the squares not occupied by the groups before. k men of a kind on squares
s1 < s2 < ... < sk, counted among these squares, have the number

	C(s1, 1) + C(s2, 2) + ... + C(sk, k)

the combinatorial number system. The leading pawns are numbered in the same way.

# Compression

An array of values is compressed by recursive pairing: the pair of neighbors that
is most frequent becomes a new symbol, repeatedly, up to 4095 symbols. A symbol is
three bytes, two numbers of twelve bits: the left and right symbols of a pair, or
a value and 0xfff. A symbol stands for at most 256 values.

Symbols are written in a canonical Huffman code, most significant bit first, into
blocks of equal size of some dozens of bytes; no symbol crosses the end of a
block. The header of an array contains

  - a byte of flags (see Values; 128 if all values are the same, which is then the
    next byte, for DTZ 0 whatever that byte is, and the header ends there);
  - the size of blocks, 2^n bytes, and the span of the sparse index, 2^n values;
  - the number of entries that the list of lengths has beyond that of blocks (one
    byte), and the number of blocks (four);
  - the longest and the shortest code, in bits, and for each length, from the
    shortest, the first symbol with a code of that length (two bytes each);
  - the number of symbols (two bytes) and the symbols, up to an even offset.

Among codes of equal length symbols ascend. Longer codes are smaller numbers: the
least code of the longest is 0, and that of length n-1 follows from the one of
length n and the number of symbols between them. The length of the next code is
therefore found by comparing the next 64 bits with the least code of each length,
left-aligned. A table that is computed when the file is opened maps the next ten
bits to the number of values of the codes in them, so that several codes are
skipped at a time.

To find value i, the sparse index has an entry of six bytes for each span, with
the block of the value in the middle of the span and its offset in the block. From
there the lengths of blocks (number of values less one, two bytes each) lead
forward or backward to the block of value i. Its symbols are then decoded one by
one, and their values counted, up to the symbol with value i, in whose tree of
pairs the value is found.

# Values

WDL has the values 0 to 4: loss, blessed loss, draw, cursed win, win, for the side
to move. Cursed wins and blessed losses are wins and losses that take too long for
the fifty-move rule. Positions in which a capture is a best move may have any
lower value, so a probe first searches the captures. Tables ignore en passant:
such a capture is compared with the value of the table, and replaces it if there
is no other move.

DTZ has distances less one, of positions that are won or lost and in which the
winner has no capture or pawn move that keeps the win. The flags of the array are

  - 1: Black is to move in the positions of this subtable;
  - 2: values are indexes of a list; there is one each for wins, losses, cursed
    wins and blessed losses, in this order, each preceded by its length;
  - 4 and 8: wins and losses are counted in plies, not in moves, which is used
    where rounding up would change a result;
  - 16: the lists and their lengths have two bytes per entry, from an even offset.

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
