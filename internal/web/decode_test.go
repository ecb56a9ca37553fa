package web

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestDecode decodes a request with all the fields that there are.
func TestDecode(t *testing.T) {
	seconds := 1.5
	review := &moveReview{Verdict: "good"}
	variation := lineTree{"before", []moveTree{{moveView: moveView{UCI: "d2d4"}}}}
	want := reviewRequest{TimeMS: 1, Threads: 2, Game: gameTree{
		Tags: []tagPair{{"White", "A"}, {"Black", "B"}}, FEN: "f", Check: "e1", Chess960: true, Result: "*",
		Opening: &openingView{"A00", "x"}, Review: &gameReview{Limit: "1s"},
		lineTree: lineTree{"start", []moveTree{{moveView{"e2e4", "e4", [2]string{"e2", "e4"}}, "g", "e8",
			[]uint16{1, 2}, "after", &seconds, []lineTree{variation, variation}, review}, {}}}}}
	for _, value := range []reflect.Value{reflect.ValueOf(want), reflect.ValueOf(want.Game),
		reflect.ValueOf(want.Game.lineTree), reflect.ValueOf(want.Game.Moves[0])} {
		for i := range value.NumField() {
			if value.Field(i).IsZero() {
				t.Errorf("%s has no %s", value.Type(), value.Type().Field(i).Name)
			}
		}
	}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got reviewRequest
	decoder := treeDecoder{Decoder: json.NewDecoder(strings.NewReader(string(text)))}
	if err := decoder.review(&got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if decoder.moves != 4 {
		t.Errorf("%d moves were counted", decoder.moves)
	}
}

// endlessText reads a text again and again.
type endlessText struct {
	text string
	at   int
}

// Read implements io.Reader.
func (e *endlessText) Read(into []byte) (int, error) {
	n := copy(into, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// TestDecodeEndless decodes games without an end, which would take all memory.
func TestDecodeEndless(t *testing.T) {
	for _, tt := range []struct{ start, part, want string }{
		{`{"moves": [{}`, ",{}", errMoves.Error()},
		{`{"moves": [{"variations": [{"moves": [{}`, "]},{\"moves\": [{}", errMoves.Error()},
		{`{"moves": [1`, ",1", "expected {"},
		{`{"moves": [null`, ",null", "expected {"},
		{`{"tags": [{}`, ",{}", errTags.Error()},
		{`{"tags": [1`, ",1", "cannot unmarshal number"},
		{`{"moves": [`, `{"variations": [{"moves": [`, errDepth.Error()},
	} {
		text := io.MultiReader(strings.NewReader(tt.start), &endlessText{text: strings.Repeat(tt.part, 100)})
		decoder := treeDecoder{Decoder: json.NewDecoder(text)}
		if err := decoder.game(&gameTree{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s...: %v, want %s", tt.start, err, tt.want)
		}
	}
}

// TestEmptyVariations decodes variations without moves, which are left out.
func TestEmptyVariations(t *testing.T) {
	const text = `{"moves": [{"variations": [{}, {"moves": []}, {"moves": [{"uci": "d2d4"}]}]}]}`
	var tree gameTree
	decoder := treeDecoder{Decoder: json.NewDecoder(strings.NewReader(text))}
	if err := decoder.game(&tree); err != nil || len(tree.Moves[0].Variations) != 1 {
		t.Errorf("%+v, %v", tree, err)
	}
}

// FuzzDecode decodes texts, and makes reports of what comes out.
func FuzzDecode(f *testing.F) {
	f.Add(`{"game": {"fen": "", "tags": [{"name": "A", "value": "b"}], "moves": []}, "time_ms": 1, "threads": 1}`)
	f.Add(`{"game": {"moves": [{"uci": "e2e4", "glyphs": [1], "review": {"best": "x"},
		"variations": [{}, {"comment": "c", "moves": [{"uci": "d2d4", "review": null}]}]}], "review": {}}}`)
	f.Fuzz(func(_ *testing.T, text string) {
		var r reviewRequest
		decoder := treeDecoder{Decoder: json.NewDecoder(strings.NewReader(text))}
		if decoder.review(&r) != nil {
			return
		}
		r.Game.report(io.Discard)
	})
}

// TestGamesAtOnce sends more games than are decoded at a time, also while another one is
// reviewed.
func TestGamesAtOnce(t *testing.T) {
	s, h := newServer(t, nil)
	game := gameTree{lineTree: lineTree{Moves: []moveTree{{moveView: moveView{UCI: "e2e4"}}}}}
	received, _ := events(t, h, "/api/review", reviewRequest{Game: game, TimeMS: 500, Threads: 1})
	next(t, received, "progress")
	statuses := make(chan string, maxGamesAtOnce+1)
	export := func(body io.Reader) {
		r := request(t.Context(), t, h, "/api/export", "")
		r.Body, r.ContentLength = io.NopCloser(body), -1
		response, err := h.Client().Do(r)
		if err != nil {
			statuses <- err.Error()
			return
		}
		response.Body.Close()
		statuses <- response.Status
	}
	var slow [maxGamesAtOnce]*io.PipeWriter
	for i := range slow {
		reader, writer := io.Pipe()
		slow[i] = writer
		go export(reader)
	}
	await(t, "the games are not read", func() bool { return len(s.games) == maxGamesAtOnce })
	go export(strings.NewReader("{}"))
	select {
	case status := <-statuses:
		t.Errorf("one game more is answered: %s", status)
	case <-time.After(100 * time.Millisecond):
	}
	next(t, received, "reviewed")
	for _, writer := range slow {
		if _, err := io.WriteString(writer, "{}"); err != nil {
			t.Error(err)
		}
		writer.Close()
	}
	for range maxGamesAtOnce + 1 {
		if status := <-statuses; status != "200 OK" {
			t.Error(status)
		}
	}
}
