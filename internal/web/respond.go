package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Limits of bodies in bytes. That of a tree allows maxMoves moves to have some 250 bytes
// each, besides the comments that a text can have.
const (
	maxRequest = 512 << 10 // a game as maxMoves moves
	maxText    = 4 << 20   // PGN, which as JSON can have twice as many: of quotes and line breaks
	maxTree    = 16 << 20  // a game with comments, variations and its review
)

// maxGamesAtOnce is how many requests with games of any size are decoded and answered at
// a time. The largest take some 200 MB each.
const maxGamesAtOnce = 2

// read decodes the body of a request. If it cannot, it answers with the reason and
// returns false.
func read(w http.ResponseWriter, r *http.Request, limit int64, into any) bool {
	return readBy(w, r, limit, func(d *json.Decoder) error { return d.Decode(into) })
}

// readTree is read for a game, of which decode decodes the parts.
func readTree(w http.ResponseWriter, r *http.Request, decode func(*treeDecoder) error) bool {
	return readBy(w, r, maxTree, func(d *json.Decoder) error { return decode(&treeDecoder{Decoder: d}) })
}

// readBy is read with a function that decodes the body.
func readBy(w http.ResponseWriter, r *http.Request, limit int64, decode func(*json.Decoder) error) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, limit))
	decoder.DisallowUnknownFields()
	err := decode(decoder)
	if err == io.EOF { // before a token
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		if _, err = decoder.Token(); errors.Is(err, io.EOF) {
			return true
		}
		err = errors.Join(errors.New("text after the end of the request"), err)
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		refuse(w, http.StatusRequestEntityTooLarge,
			fmt.Sprintf("the request has more than %d KiB", tooLarge.Limit>>10))
		return false
	}
	refuse(w, http.StatusBadRequest, "request: "+err.Error())
	return false
}

// refuse answers with a reason that people can read.
func refuse(w http.ResponseWriter, status int, reason string) {
	respond(w, status, map[string]string{"error": reason})
}

// ending is the reason to refuse requests that the end of the server cuts off.
const ending = "the server is ending"

// answer answers with a value, or with the reason why there is none.
func answer(w http.ResponseWriter, value any, err error) {
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	respond(w, http.StatusOK, value)
}

// respond writes a value as JSON. A browser that has gone is no failure.
func respond(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		status, body = http.StatusInternalServerError, []byte(`{"error": "the answer could not be encoded"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout)) // reading may have taken long
	w.WriteHeader(status)
	w.Write(body)
}

// stream is a response that consists of server-sent events, each a name and a JSON
// value.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	sent    time.Time // of the last event
}

// keepAlive is the time without events after which an empty one is sent, which
// detects that the browser has gone even if nothing closed the connection.
const keepAlive = 10 * time.Second

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	takeTime(w)
	return &stream{w: w, control: http.NewResponseController(w)}
}

// takeTime lifts the limits of time of a response. The connection is read meanwhile, to
// see when it ends.
func takeTime(w http.ResponseWriter) {
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{})
	control.SetWriteDeadline(time.Time{})
}

// send sends an event. The error is about the connection.
func (s *stream) send(event string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.write(fmt.Sprintf("event: %s\ndata: %s\n\n", event, data))
}

// keep sends an empty event if it is time for one.
func (s *stream) keep() error {
	if time.Since(s.sent) < keepAlive {
		return nil
	}
	return s.write(":\n\n")
}

func (s *stream) write(text string) error {
	s.sent = time.Now()
	s.control.SetWriteDeadline(s.sent.Add(writeTimeout))
	defer s.control.SetWriteDeadline(time.Time{})
	if _, err := io.WriteString(s.w, text); err != nil {
		return err
	}
	return s.control.Flush()
}
