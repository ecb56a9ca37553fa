package cli

// Nearest returns the name that the word most likely stands for, or "" if none is
// similar: a third of it may differ.
func Nearest(word string, names []string) string {
	best, least := "", (len(word)+2)/3+1
	for _, name := range names {
		if d := distance(word, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// suggestion returns "; did you mean NAME?" with the prefix and the nearest name, or
// "" if none is similar.
func suggestion(word, prefix string, names []string) string {
	if name := Nearest(word, names); name != "" {
		return "; did you mean " + prefix + name + "?"
	}
	return ""
}

// distance returns the Levenshtein distance: how many bytes must be inserted, deleted
// or replaced to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1) // distances of a prefix of a to those of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
