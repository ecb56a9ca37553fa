package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func folder(t *testing.T, rows ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, letter := range "abcde" {
		text := "eco\tname\tpgn\n"
		if letter == 'b' {
			text += strings.Join(rows, "\n") + "\n"
		}
		if err := os.WriteFile(filepath.Join(dir, string(letter)+".tsv"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFormat(t *testing.T) {
	lines, err := readFolder(folder(t,
		"B01\tScandinavian Defense\t1. e4 d5", "A40\tQueen's Pawn  Game\t1. d4", "B00\tKing's Pawn Game\t1. e4",
		"B01\tScandinavian Defense: Mieses-Kotroc Variation\t1. e4 d5 2. exd5 Qxd5"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "# Made by scripts/openings from lichess-org/chess-openings, commit 123 (CC0 1.0).\n" +
		"A40\tQueen's Pawn Game\t0 d4\n" +
		"B00\tKing's Pawn Game\t0 e4\n" +
		"B01\tScandinavian Defense\t1 d5\n" +
		"B01\tScandinavian Defense: Mieses-Kotroc Variation\t2 exd5 Qxd5\n"
	if got := string(format(lines, "123")); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestErrors(t *testing.T) {
	for row, want := range map[string]string{
		"B00\tKing's Pawn Game":        "b.tsv:2: 2 columns instead of 3",
		"X00\tKing's Pawn Game\t1. e4": `b.tsv:2: "X00" is not an ECO code`,
		"B00\t \t1. e4":                "b.tsv:2: the name is missing",
		"B00\tA\t":                     "b.tsv:2: the moves are missing",
		"B00\tA\t*":                    "b.tsv:2: the moves are missing",
		"B00\tA\t1. e5":                `b.tsv:2: game 1, line 1, column 4: move "e5": illegal`,
		"B00\tA\t1. Nf3 d5 2. d4\nB00\tB\t1. d4 d5 2. Nf3": "b.tsv:3: B leads to the position of A",
	} {
		if _, err := readFolder(folder(t, row)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", row, err, want)
		}
	}
	if _, err := readFolder(t.TempDir()); err == nil || !strings.Contains(err.Error(), "a.tsv") {
		t.Errorf("an empty folder: error %v", err)
	}
}
