package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pieces is true once the page shows the initial position with its moves.
const pieces = `document.querySelectorAll("#board .piece").length === 32 && ` + idle

// idle is true while the moves of the position on the board are known.
const idle = `document.getElementById("board").ariaBusy === "false"`

// drag moves what is on a square to another one.
func (b *tab) drag(from, to string) {
	b.t.Helper()
	x, y := b.square(from)
	u, v := b.square(to)
	b.do(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1),
		input.DispatchMouseEvent(input.MouseMoved, (x+u)/2, (y+v)/2).WithButton(input.Left),
		input.DispatchMouseEvent(input.MouseMoved, u, v).WithButton(input.Left),
		input.DispatchMouseEvent(input.MouseReleased, u, v).WithButton(input.Left).WithClickCount(1))
}

// moves returns the moves of the list.
func (b *tab) moves() string {
	return eval[string](b, `[...document.querySelectorAll("#moves .move")].map((m) => m.textContent).join(" ")`)
}

// current is the move of the list that led to the position on the board.
const current = `document.querySelector("#moves [aria-current]")?.textContent`

// home goes to the start of a game with moves, by key.
func (b *tab) home() {
	b.t.Helper()
	b.do(chromedp.KeyEvent(kb.Home))
	b.wait("!" + current + " && " + idle)
}

// TestDrag plays a game for both sides by dragging, up to mate.
func TestDrag(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	for i, move := range []string{"e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"} {
		b.drag(move[:2], move[2:])
		b.wait(fmt.Sprintf(`document.querySelectorAll("#moves .move").length === %d && `, i+1) + idle)
	}
	if got, want := b.moves(), "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"; got != want {
		t.Errorf("moves %s, want %s", got, want)
	}
	b.wait(`document.getElementById("outcome").textContent === "1-0, checkmate"`)
	b.drag("e8", "e7") // the game is over
	b.drag("a2", "a3")
	if got := len(strings.Fields(b.moves())); got != 7 {
		t.Errorf("%d moves after the game", got)
	}
	if got := b.result(); got != "1-0" {
		t.Errorf("result %s after mate", got)
	}
	b.do(chromedp.Click("#undo"))
	b.wait(`document.querySelectorAll("#moves .move").length === 6`)
	if got := b.result(); got != "*" {
		t.Errorf("result %s without the last move", got)
	}
}

// result returns the result of the game as the page stores it.
func (b *tab) result() string {
	return eval[string](b, `JSON.parse(sessionStorage.getItem("game")).result`)
}

// TestPlay plays against the engine by clicks, with a clock, and takes back.
func TestPlay(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	eval[any](b, `document.getElementById("open-play").click()`)
	eval[any](b, `document.querySelector("#play-dialog [value='3+2']").click()`)
	b.do(chromedp.Click(`#play-dialog [value=play]`))
	b.wait(`document.querySelector("#player-bottom .clock").textContent === "3:00" && ` + idle)
	for i, move := range []string{"e2e4", "d2d3"} {
		for _, square := range []string{move[:2], move[2:]} {
			x, y := b.square(square)
			b.do(chromedp.MouseClickXY(x, y))
		}
		b.wait(fmt.Sprintf(`document.querySelectorAll("#moves .move").length === %d && `, 2*i+2) + idle)
	}
	if !eval[bool](b, `document.getElementById("engine").hidden`) {
		t.Error("the analysis can be seen during a game")
	}
	b.do(chromedp.Click("#undo"))
	b.wait(`document.querySelectorAll("#moves .move").length === 2`)
	b.do(chromedp.Click("#resign"))
	b.wait(outcome + ` === "0-1, resignation"`)
	b.wait(`!document.getElementById("engine").hidden && !document.getElementById("review").hidden`)
}

// outcome is what the page shows of the end of a game.
const outcome = `document.querySelector("#outcome:not([hidden])")?.textContent`

// TestRetry plays while the first request for the engine's move fails, a server that is
// ending refuses the second, and the answer to the third is cut off.
func TestRetry(t *testing.T) {
	b := open(t, serve(t))
	eval[any](b, `(() => {
		const send = window.fetch;
		const failures = [
			() => Promise.reject(new TypeError("lost")),
			() => Promise.resolve(Response.json({ error: "ending" }, { status: 503 })),
			() => Promise.resolve(new Response(new ReadableStream({
				pull: (stream) => stream.error(new TypeError("network error")),
			}))),
		];
		window.fetch = (path, options) => path === "/api/play" && failures.shift()?.() || send(path, options);
	})()`)
	b.wait(pieces)
	b.begin("standard")
	b.drag("e2", "e4")
	const silent = `document.getElementById("toast").textContent.startsWith("The engine does not answer")`
	b.wait(silent)
	b.wait(`document.getElementById("toast").textContent === "ending"`)
	b.wait(silent)
	b.wait(`document.querySelectorAll("#moves .move").length === 2`)
}

// TestEnd ends the server while it analyzes.
func TestEnd(t *testing.T) {
	address, stop := start(t)
	b := open(t, address)
	b.wait(pieces)
	b.do(chromedp.Click("#analyze"))
	b.wait(`document.querySelectorAll("#lines li").length === 3`)
	stop()
	b.wait(`document.getElementById("toast").textContent.startsWith("The connection to the engine was lost")`)
	b.wait(`document.getElementById("analyze").ariaChecked === "false"`)
}

// TestSetUp sets up a position of Chess960 with the right to castle of an inner rook.
func TestSetUp(t *testing.T) {
	const fen = "4k3/8/8/8/8/8/8/4K1RR w G - 0 1"
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("[Variant \"Chess960\"]\n[FEN \"" + fen + "\"]\n\n*")
	b.wait(`document.querySelectorAll("#board .piece").length === 4 && ` + idle)
	eval[any](b, `document.getElementById("open-setup").click()`)
	eval[any](b, `document.querySelector("#palette input").focus()`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.wait(`!document.getElementById("setup-dialog").open && ` + idle)
	b.wait(`document.getElementById("fen").value === "` + fen + `"`)
}

// TestUntouched leaves the position that is set up as it is.
func TestUntouched(t *testing.T) {
	const fen = "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 7"
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText(fen)
	b.wait(`document.getElementById("fen").value === "` + fen + `" && ` + idle)
	eval[any](b, `document.getElementById("open-setup").click()`)
	eval[any](b, `document.querySelector("#palette input").focus()`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.wait(`!document.getElementById("setup-dialog").open && ` + idle)
	if got := eval[string](b, `document.getElementById("fen").value`); got != fen {
		t.Errorf("%s, want %s", got, fen)
	}
}

// begin starts a game as White at 600 Elo with a clock, from a standard or the current
// position.
func (b *tab) begin(start string) {
	b.t.Helper()
	eval[any](b, `document.getElementById("open-play").click()`)
	eval[any](b, `document.querySelector("#play-dialog [value=`+start+`]").click()`)
	eval[any](b, `document.querySelector("#play-dialog [value='3+2']").click()`)
	eval[any](b, `document.getElementById("elo").value = 600`)
	b.do(chromedp.Click(`#play-dialog [value=play]`))
	b.wait(`document.querySelector("#player-bottom .clock").textContent === "3:00" && ` + idle)
}

// laterClock makes the clock of the page show later times by the milliseconds in passed.
const laterClock = `(() => {
	const now = performance.now.bind(performance);
	window.passed = 0;
	performance.now = () => now() + window.passed;
})()`

// TestClock thinks longer about the first move, which is free, than the clock has.
func TestClock(t *testing.T) {
	b := open(t, serve(t))
	eval[any](b, laterClock)
	b.wait(pieces)
	b.begin("standard")
	eval[any](b, `window.passed = 185e3`)
	b.drag("e2", "e4")
	b.wait(`document.querySelectorAll("#moves .move").length === 2`)
	if eval[bool](b, `document.getElementById("resign").hidden`) {
		t.Errorf("the game is over: %s", eval[string](b, `document.getElementById("outcome").textContent`))
	}
	eval[any](b, `window.passed += 200e3`)
	b.wait(outcome + ` === "0-1, time"`)
}

// TestReload reloads the page during a game against the engine, which goes on.
func TestReload(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.begin("standard")
	b.do(chromedp.Reload())
	b.wait(`document.querySelector("#player-top .name").textContent === "Skein (600)" && ` +
		`!document.getElementById("resign").hidden && ` + idle)
	for i, move := range []string{"e2e4", "d2d3"} {
		b.drag(move[:2], move[2:])
		b.wait(fmt.Sprintf(`document.querySelectorAll("#moves .move").length === %d && `, 2*i+2) + idle)
		b.do(chromedp.Reload())
		b.wait(fmt.Sprintf(`document.querySelectorAll("#moves .move").length === %d && `, 2*i+2) + idle)
		b.wait(`!document.getElementById("resign").hidden && document.getElementById("engine").hidden`)
	}
	b.wait(`/^[23]:/.test(document.querySelector("#player-bottom .clock").textContent)`)
	b.do(chromedp.Click("#resign"))
	b.wait(outcome + ` === "0-1, resignation"`)
	b.do(chromedp.Reload())
	b.wait(`document.querySelectorAll("#moves .move").length === 4 && ` + idle)
	if !eval[bool](b, `document.getElementById("resign").hidden`) {
		t.Error("the game goes on after its end")
	}
}

// TestBareKing lets the time run out against a bare king.
func TestBareKing(t *testing.T) {
	b := open(t, serve(t))
	eval[any](b, laterClock)
	b.wait(pieces)
	b.importText("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1")
	b.wait(`document.querySelectorAll("#board .piece").length === 3 && ` + idle)
	b.begin("current")
	b.do(chromedp.KeyEvent("l")) // does nothing during a game
	b.drag("e1", "d1")
	b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
	eval[any](b, `window.passed = 200e3`)
	b.wait(outcome + ` === "½–½, time against insufficient material"`)
	if b.result() != "1/2-1/2" || eval[string](b, `document.getElementById("analyze").ariaChecked`) != "false" {
		t.Errorf("result %s, or the analysis was turned on", b.result())
	}
	const termination = `JSON.parse(sessionStorage.getItem("game")).tags.find((t) => t.name === "Termination").value`
	if got := eval[string](b, termination); got != "time forfeit" {
		t.Errorf("Termination is %q", got)
	}
}

// TestTypedElsewhere types a move at an earlier position of a game against the engine, where none can be made.
func TestTypedElsewhere(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.begin("standard")
	b.drag("e2", "e4")
	b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
	b.do(chromedp.Click("#first"), chromedp.SendKeys("#typed input", "d4"+kb.Enter))
	b.wait(`document.getElementById("toast").textContent === "d4 was not played."`)
	if got := eval[string](b, `document.querySelector("#typed input").value`); got != "d4" {
		t.Errorf("the field has %q", got)
	}
}

// TestLastMove lets the engine end the game with its only move, which readers of screens are told.
func TestLastMove(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("7k/8/8/6Q1/8/8/8/4K3 w - - 0 1")
	b.wait(`document.querySelectorAll("#board .piece").length === 3 && ` + idle)
	b.begin("current")
	b.drag("g5", "g7")
	b.wait(outcome + ` === "½–½, insufficient material"`)
	const announced = `document.getElementById("announce-move").textContent`
	if got, want := eval[string](b, announced), "Black: king h8 to g7, takes. insufficient material"; got != want {
		t.Errorf("announced %q, want %q", got, want)
	}
}

// TestCheckAtStart plays from a position in which the king is in check, and reloads it.
func TestCheckAtStart(t *testing.T) {
	const check = `document.querySelector("#board .check")?.dataset.square === "e1"`
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
	b.wait(check)
	b.begin("current")
	b.wait(check)
	b.do(chromedp.Reload())
	b.wait(check)
}

// TestTakeBackAtOnce takes a move back before the answer to it is shown.
func TestTakeBackAtOnce(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	eval[any](b, `(() => {
		const send = window.fetch;
		window.fetch = async (path, options) => {
			const response = await send(path, options);
			if (!path.endsWith("/api/play") || window.answer) return response;
			const body = await response.text();
			await new Promise((resolve) => { window.answer = resolve; });
			return new Response(body, response);
		};
	})()`)
	b.begin("standard")
	b.drag("e2", "e4")
	b.wait(`window.answer`)
	b.do(chromedp.Click("#undo"))
	// A move is shown half a second after the request at the latest.
	eval[any](b, `(async () => { window.answer(); await new Promise((resolve) => setTimeout(resolve, 500)); })()`)
	if got := b.moves(); got != "" {
		t.Errorf("moves %s", got)
	}
	b.drag("d2", "d4")
	b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
	if got := b.moves(); !strings.HasPrefix(got, "d4 ") {
		t.Errorf("moves %s", got)
	}
}

// TestEditedReview deletes a move that the summary of a review counts.
func TestEditedReview(t *testing.T) {
	const count = `document.querySelector(".summary button[aria-label='1 blunder by White, next']")`
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. f3 {[%eval -0.5]} e5 {[%eval -0.6]} 2. g4 {[%eval #-1]} Qh4# *")
	b.wait(count)
	eval[any](b, count+`.click()`)
	b.wait(current + `?.startsWith("g4") && ` + idle)
	b.do(chromedp.Click("#undo"))
	b.wait(`document.querySelectorAll("#moves .move").length === 2`)
	eval[any](b, count+`.click()`)
	eval[any](b, `document.querySelector(".chart").focus()`)
	b.do(chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.End))
	b.wait(current + `?.startsWith("e5") && ` + idle)
}

// TestPhone plays by touch in a narrow window, which nothing exceeds.
func TestPhone(t *testing.T) {
	b := open(t, serve(t), chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.wait(pieces)
	if right := b.right(); right > 391 {
		t.Errorf("the page is %v pixels wide", right)
	}
	b.importText("7k/P7/8/8/8/8/8/K7 w - - 0 1")
	b.wait(`document.querySelectorAll("#board .piece").length === 3 && ` + idle)
	b.tap(`#board [data-square=a7]`)
	b.tap(`#board [data-square=a8]`)
	time.Sleep(time.Second / 2) // for the click that ends the tap
	b.tap(`.chooser [aria-label=knight]`)
	b.wait(`document.querySelector("#moves .move")?.textContent === "a8=N"`)
	eval[any](b, `document.getElementById("open-play").click()`)
	b.do(chromedp.Click(`#play-dialog [value=play]`))
	b.wait(`!document.getElementById("resign").hidden && ` + idle)
	b.tap(`#board [data-square=d2]`)
	b.tap(`#board [data-square=d4]`)
	b.wait(`document.querySelectorAll("#moves .move").length === 2`)
	if right := b.right(); right > 391 {
		t.Errorf("the page is %v pixels wide during a game", right)
	}
	b.do(chromedp.EmulateViewport(320, 568, chromedp.EmulateMobile, chromedp.EmulateTouch))
	if right := b.right(); right > 321 {
		t.Errorf("the page is %v pixels wide in 320 pixels", right)
	}
}

// TestSecondFinger touches the board with another finger while one drags a piece: it moves nothing.
func TestSecondFinger(t *testing.T) {
	b := open(t, serve(t), chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.wait(pieces)
	at := func(square string, id float64) *input.TouchPoint {
		x, y := b.square(square)
		return &input.TouchPoint{X: x, Y: y, ID: id}
	}
	b.do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{at("e2", 1)}),
		input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{at("e2", 1), at("e4", 2)}), // where the pawn can go
		input.DispatchTouchEvent(input.TouchMove, []*input.TouchPoint{at("e3", 1), at("a6", 2)}),
		input.DispatchTouchEvent(input.TouchMove, []*input.TouchPoint{at("e3", 1), at("b6", 2)}),
		input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
	b.wait(`document.querySelector("#moves .move") && ` + idle)
	if got := b.moves(); got != "e3" {
		t.Errorf("moves %s", got)
	}
}

// TestTargets checks that a finger can hit what is on a narrow page and in its dialogs, and
// that the text of fields is large enough for phones not to magnify the page.
func TestTargets(t *testing.T) {
	const small = `[...document.querySelectorAll("button, select, summary, label:has(input[type=radio])")].filter((e) => {
		const { width, height } = e.getBoundingClientRect();
		return width > 0 && (width < 24 || height < 24);
	}).map((e) => e.outerHTML)`
	b := open(t, serve(t), chromedp.EmulateViewport(360, 640, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.wait(pieces)
	b.importText("1. f3 {[%eval -0.5]} (1. e4 e5 2. d4) e5 {[%eval -0.6]} 2. g4 {[%eval #-1]} Qh4# *")
	b.wait(`document.querySelector(".summary")`)
	b.do(chromedp.KeyEvent(kb.Home), chromedp.Click("#analyze"))
	b.wait(`document.querySelectorAll("#lines li").length === 3`)
	const tiny = `[...document.querySelectorAll("input, select, textarea")]
		.filter((e) => parseFloat(getComputedStyle(e).fontSize) < 16).map((e) => e.outerHTML)`
	for _, e := range eval[[]string](b, tiny) {
		t.Errorf("small text: %s", e)
	}
	for _, dialog := range []string{"", "play", "import", "setup", "export"} {
		if dialog != "" {
			eval[any](b, fmt.Sprintf(`document.getElementById("open-%s").click()`, dialog))
			b.wait(fmt.Sprintf(`document.getElementById("%s-dialog").open`, dialog))
		}
		for _, e := range eval[[]string](b, small) {
			t.Errorf("%s: %s", dialog, e)
		}
		if dialog != "" {
			eval[any](b, fmt.Sprintf(`document.getElementById("%s-dialog").close()`, dialog))
		}
	}
}

// TestForcedColors shows the page in colors that the system chooses, in which squares and
// choices must still differ.
func TestForcedColors(t *testing.T) {
	b := open(t, serve(t), emulation.SetEmulatedMedia().WithFeatures(
		[]*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}))
	b.wait(pieces)
	for _, tt := range []struct{ property, one, other string }{
		{"backgroundColor", "#board .light", "#board .dark"},
		{"color", "#play-dialog label:has(:checked)", "#play-dialog label:has([type=radio]:not(:checked))"},
	} {
		color := func(selector string) string {
			return eval[string](b, fmt.Sprintf(`getComputedStyle(document.querySelector("%s")).%s`, selector, tt.property))
		}
		if one, other := color(tt.one), color(tt.other); one == other {
			t.Errorf("%s and %s have the %s %s", tt.one, tt.other, tt.property, one)
		}
	}
}

// TestSwipe touches the chart of a review, and swipes over it, which goes through the game
// or scrolls the page.
func TestSwipe(t *testing.T) {
	b := open(t, serve(t), chromedp.EmulateViewport(360, 640, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.wait(pieces)
	b.importText("1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.3]} Nc6 {[%eval 0.2]} *")
	b.wait(`document.querySelector(".summary")`)
	eval[any](b, `document.querySelector(".chart").scrollIntoView({ block: "center" })`)
	swipe := func(x, y float64) {
		u, v := b.center(".chart")
		b.do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: u, Y: v}}))
		for range 10 {
			u, v = u+x/10, v+y/10
			b.do(input.DispatchTouchEvent(input.TouchMove, []*input.TouchPoint{{X: u, Y: v}}))
		}
		b.do(input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
	}
	b.tap(".chart")
	b.wait(current + ` === "e5"`)
	swipe(150, 0)
	b.wait(current + ` === "Nc6"`)
	before := eval[float64](b, `scrollY`)
	swipe(0, 100)
	b.wait(fmt.Sprintf(`scrollY < %v`, before))
	if got := eval[string](b, current); got != "Nc6" {
		t.Errorf("scrolling leads to %s", got)
	}
}

// right returns how far to the right the page reaches, in pixels.
func (b *tab) right() float64 {
	return eval[float64](b, `Math.max(document.documentElement.scrollWidth, `+
		`...[...document.querySelectorAll("header *, main *")].map((e) => e.getBoundingClientRect().right))`)
}

// TestNarrow types a move in a window as narrow as that of a phone, as it is when the
// page is magnified.
func TestNarrow(t *testing.T) {
	b := open(t, serve(t), chromedp.EmulateViewport(320, 568))
	b.wait(pieces)
	if right := b.right(); right > 321 {
		t.Errorf("the page is %v pixels wide", right)
	}
	b.do(chromedp.SendKeys("#typed input", "e4"+kb.Enter))
	b.wait(`document.querySelectorAll("#moves .move").length === 1 && ` + idle)
	b.do(chromedp.SendKeys("#typed input", "Ke5"+kb.Enter))
	b.wait(`document.getElementById("toast").clientWidth > 250`)
}

// TestLow shows the page in windows that are as low as that of a phone on its side, and
// as one whose page is magnified.
func TestLow(t *testing.T) {
	const hidden = `[...document.querySelectorAll(".controls :is(button, input)")].filter((e) => {
		e.scrollIntoView();
		const box = e.getBoundingClientRect();
		return box.width > 0 && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("button, input") !== e;
	}).length`
	for _, size := range [][2]int64{{915, 412}, {640, 360}, {320, 256}} {
		b := open(t, serve(t), chromedp.EmulateViewport(size[0], size[1]))
		b.wait(pieces)
		if got := eval[float64](b, `document.getElementById("board").clientWidth`); got < 270 {
			t.Errorf("%v: the board is %v pixels wide", size, got)
		}
		if n := eval[int](b, hidden); n > 0 {
			t.Errorf("%v: %d buttons below the board are covered", size, n)
		}
		if right := b.right(); right > float64(size[0])+1 {
			t.Errorf("%v: the page is %v pixels wide", size, right)
		}
	}
}

// tap touches the center of an element.
func (b *tab) tap(selector string) {
	b.t.Helper()
	x, y := b.center(selector)
	b.do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: x, Y: y}}),
		input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
}

// TestKeyboard plays moves with keys alone: on the board, with a promotion, and typed.
func TestKeyboard(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	eval[any](b, `document.querySelector("#board [tabindex='0']").focus()`) // e2
	b.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(" "))
	b.wait(`document.querySelectorAll("#moves .move").length === 1`)
	if got := eval[string](b, `document.getElementById("announce-move").textContent`); got != "White: pawn e2 to e4" {
		t.Errorf("announced %q", got)
	}
	for turns := range 3 {
		if turns > 0 {
			b.do(chromedp.KeyEvent("f"))
		}
		if got := eval[string](b, `document.activeElement.getAttribute("aria-label")`); got != "e4, white pawn" {
			t.Errorf("the focus is on %q after turning the board %d times", got, turns)
		}
	}
	b.do(chromedp.SendKeys("#typed input", "d5"+kb.Enter))
	b.wait(`document.querySelectorAll("#moves .move").length === 2`)
	b.importText("7k/4P3/8/8/8/8/8/4K3 w - - 0 1")
	b.wait(`document.querySelectorAll("#board .piece").length === 3 && ` + idle)
	eval[any](b, `document.querySelector("#board [data-square=e7]").focus()`)
	b.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter))
	b.wait(`document.activeElement.getAttribute("aria-label") === "queen"`)
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	b.wait(`document.querySelector("#moves .move")?.textContent === "e8=R+" && ` + idle)
	if got := eval[string](b, `document.activeElement.ariaLabel`); got != "e8, white rook" {
		t.Errorf("after the promotion the focus is on %q", got)
	}
	const announced = `document.getElementById("announce-move").textContent`
	if got, want := eval[string](b, announced), "White: pawn e7 to e8, becomes a rook, check"; got != want {
		t.Errorf("announced %q, want %q", got, want)
	}
	b.importText("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
	b.wait(`document.querySelectorAll("#board .piece").length === 4 && ` + idle)
	b.do(chromedp.SendKeys("#typed input", "O-O-O"+kb.Enter))
	b.wait(`document.querySelectorAll("#moves .move").length === 1`)
	if got, want := eval[string](b, announced), "White castles queenside"; got != want {
		t.Errorf("announced %q, want %q", got, want)
	}
	eval[any](b, `document.getElementById("open-play").click()`)
	eval[any](b, `document.querySelector("#play-dialog [value=black]").focus()`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.wait(`!document.getElementById("resign").hidden`)
}

// TestSecondChooser leaves the choice of a promotion with the keyboard for another promotion: one choice is open, and
// none after it.
func TestSecondChooser(t *testing.T) {
	const choosers = `document.querySelectorAll("#board .chooser").length`
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("7k/P3P3/8/8/8/8/8/4K3 w - - 0 1")
	b.wait(`document.querySelectorAll("#board .piece").length === 4 && ` + idle)
	for _, file := range []string{"e", "a"} {
		eval[any](b, `document.querySelector("#board [data-square=`+file+`7]").focus()`)
		b.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter))
		b.wait(`document.activeElement.getAttribute("aria-label") === "queen"`)
	}
	if n := eval[int](b, choosers); n != 1 {
		t.Errorf("%d choices are open", n)
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	b.wait(`document.querySelector("#moves .move")?.textContent === "a8=Q+" && ` + idle)
	if n := eval[int](b, choosers); n != 0 {
		t.Errorf("%d choices are open after the move", n)
	}
}

// fakeAnalysis makes the function send show a line of moves as an analysis would.
const fakeAnalysis = `(() => {
	const other = window.fetch;
	window.fetch = async (path, options) => {
		if (path !== "/api/analyze") return other(path, options);
		const start = (controller) => {
			window.send = (...moves) => {
				const score = { text: "+0.30", chance: 0.5, wdl: [300, 500, 200] };
				const line = { score, moves: moves.map((san) => ({ san, uci: san, squares: [] })) };
				const event = "event: analysis\ndata: " + JSON.stringify({ depth: 1, lines: [line] }) + "\n\n";
				controller.enqueue(new TextEncoder().encode(event));
			};
		};
		return new Response(new ReadableStream({ start }));
	};
})()`

// openLine opens the page with such an analysis, which shows a line of three moves.
func openLine(t *testing.T) *tab {
	t.Helper()
	b := open(t, serve(t))
	b.wait(pieces)
	eval[any](b, fakeAnalysis)
	b.do(chromedp.Click("#analyze"))
	b.wait(`window.send`)
	eval[any](b, `window.send("e4", "e5", "Nf3")`)
	b.wait(`document.querySelectorAll("#lines .move").length === 3`)
	return b
}

// TestKeyboardLine plays a line of the engine by keyboard, while it changes.
func TestKeyboardLine(t *testing.T) {
	const focused = `document.activeElement.textContent`
	b := openLine(t)
	eval[any](b, `document.querySelectorAll("#lines .move")[2].focus()`)
	eval[any](b, `window.send("e4", "e5", "Nf3", "Nc6")`)
	b.wait(`document.querySelectorAll("#lines .move").length === 4 && ` + focused + ` === "Nf3"`)
	eval[any](b, `window.send("e4", "c5")`)
	b.wait(`document.querySelectorAll("#lines .move").length === 2 && ` + focused + ` === "c5"`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
	if got := b.moves(); got != "e4 c5" {
		t.Errorf("moves %s", got)
	}
	if got := eval[string](b, `document.activeElement.id`); got != "lines" {
		t.Errorf("the focus is on %q", got)
	}
}

// TestFocus presses buttons that disappear with that. The focus goes to something near.
func TestFocus(t *testing.T) {
	b := open(t, serve(t, "--syzygy", filepath.Join("..", "..", "testdata", "syzygy")))
	b.wait(pieces)
	press := func(button, want string) {
		t.Helper()
		b.wait(fmt.Sprintf(`(() => {
			window.pressed = document.querySelector(%q);
			window.pressed?.focus();
			return window.pressed && window.pressed === document.activeElement;
		})()`, button))
		b.do(chromedp.KeyEvent(kb.Enter))
		b.wait(`!window.pressed.checkVisibility() && ` + idle)
		if got := eval[string](b, `document.activeElement.id`); got != want {
			t.Errorf("after %s the focus is on %q, want %q", button, got, want)
		}
	}
	b.importText("1. e4 e5 (1... c5) 2. Nf3 *")
	b.wait(`document.querySelectorAll("#moves .move").length === 4 && ` + idle)
	eval[any](b, `document.querySelector("#moves .variation .move").click()`)
	press("#promote", "flip")
	b.do(chromedp.Click("#undo"))
	press("#toast button", "moves")
	b.importText("8/8/8/8/8/4k3/8/4K2Q w - - 0 1")
	press("#tablebase .move", "tablebase")
	b.begin("standard")
	press("#resign", "flip")
}

// TestVisibleMove turns the analysis on, whose lines make the list of moves lower.
func TestVisibleMove(t *testing.T) {
	const visible = `document.querySelector("#moves [aria-current]").getBoundingClientRect().bottom <= ` +
		`document.getElementById("moves").getBoundingClientRect().bottom`
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText(longGame)
	b.wait(`document.querySelectorAll("#moves .move").length > 40 && ` + visible)
	height := eval[int](b, `document.getElementById("moves").clientHeight`)
	b.do(chromedp.Click("#analyze"))
	b.wait(fmt.Sprintf(`document.getElementById("moves").clientHeight < %d`, height))
	b.wait(visible)
}

// TestDragAway drags a text over a line of the engine, which changes meanwhile, and out of the window.
func TestDragAway(t *testing.T) {
	const hidden = `document.getElementById("drop").hidden`
	b := openLine(t)
	items := []*input.DragDataItem{{MimeType: "text/plain", Data: "1. e4 *"}}
	data := &input.DragData{Items: items, DragOperationsMask: 1}
	x, y := b.center("#lines .move")
	b.do(input.DispatchDragEvent(input.DragEnter, x, y, data), input.DispatchDragEvent(input.DragOver, x, y, data))
	b.wait("!" + hidden)
	eval[any](b, `window.send("d4", "d5")`)
	b.wait(`document.querySelectorAll("#lines .move").length === 2`)
	eval[any](b, `document.addEventListener("dragenter", (event) => { window.entered = event.target; })`)
	x, y = b.square("e4")
	b.do(input.DispatchDragEvent(input.DragOver, x, y, data))
	b.wait(`window.entered?.dataset.square === "e4"`)
	// The driver's pointer cannot leave the window.
	eval[any](b, `entered.dispatchEvent(new DragEvent("dragleave", { bubbles: true }))`)
	b.wait(hidden)
}

// TestOverChances analyzes a game that ended in stalemate, which neither side can win any more.
func TestOverChances(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.do(chromedp.Click("#analyze"))
	b.importText("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
	b.wait(outcome + ` === "½–½, stalemate" && document.getElementById("score").textContent === "½–½" && ` +
		`!document.getElementById("wdl").hidden`)
	const chances = `document.getElementById("wdl").ariaLabel`
	if got, want := eval[string](b, chances), "White wins 0 %, draw 100 %, Black wins 0 %"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestSlowLine leaves a position while a line of the engine is played from it.
func TestSlowLine(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.do(chromedp.Click("#analyze"))
	eval[any](b, `(() => {
		const send = window.fetch;
		window.fetch = async (path, options) => {
			await new Promise((resolve) => setTimeout(resolve, 200));
			return send(path, options);
		};
	})()`)
	b.wait(`(() => {
		const fifth = document.querySelectorAll("#lines li:first-child .move")[4];
		fifth?.click();
		return Boolean(fifth);
	})()`)
	const moves = `document.querySelectorAll("#moves .move").length`
	b.wait(moves + ` >= 2`)
	b.do(chromedp.Click("#first"))
	n := eval[int](b, moves)
	time.Sleep(time.Second) // in which five moves would be played
	if later := eval[int](b, moves); later != n {
		t.Errorf("%d moves, and then %d", n, later)
	}
}

// startReview starts a review with a time a move in milliseconds, one of those offered.
func (b *tab) startReview(ms int) {
	b.t.Helper()
	eval[any](b, fmt.Sprintf(`document.querySelector("#review select").value = "%d"`, ms))
	b.do(chromedp.Click("#start-review"))
}

// TestReview drops a PGN and reviews it; a click in the chart goes there. Nothing is
// asked of another machine.
func TestReview(t *testing.T) {
	address := serve(t)
	b := open(t, address)
	b.wait(pieces)
	eval[any](b, fmt.Sprintf("(() => {"+
		"const data = new DataTransfer();"+
		"const bytes = Uint8Array.from(`%s`, (c) => c.charCodeAt(0));"+ // in ISO 8859-1
		"data.items.add(new File([bytes], 'game.pgn'));"+
		"document.getElementById('board').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));"+
		"})()", shortGame))
	b.wait(`document.querySelectorAll("#moves .move").length === 7`)
	b.wait(`document.querySelector("#player-bottom .name").textContent.startsWith("Schäfer")`)
	b.startReview(100)
	b.wait(`document.querySelector(".summary")`)
	if got := eval[string](b, `document.activeElement.id`); got != "review" {
		t.Errorf("after the review the focus is on %q", got)
	}
	if got := eval[string](b, `document.querySelector("#moves .blunder").textContent`); got != "Nf6??" {
		t.Errorf("the blunder is %s", got)
	}
	box := eval[[4]float64](b, `(() => { const b = document.querySelector(".chart").getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()`)
	b.do(chromedp.MouseClickXY(box[0]+box[2]*4/7, box[1]+box[3]/2))
	b.wait(current + `?.startsWith("Nc6")`)
	eval[any](b, `document.querySelector(".chart").focus()`)
	b.do(chromedp.KeyEvent(kb.End))
	b.wait(`document.querySelector(".chart").getAttribute("aria-valuetext") === "4. Qxf7# #0"`)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, request := range b.requests {
		if !strings.HasPrefix(request, address) {
			t.Errorf("the page asked for %s", request)
		}
	}
	if len(b.requests) < 10 {
		t.Errorf("only %d requests were seen", len(b.requests))
	}
}

// TestReviewVariation reviews a game with a variation that begins with the move played.
func TestReviewVariation(t *testing.T) {
	const one = `document.querySelectorAll("#moves .variation").length === 1 && ` +
		`document.querySelectorAll("#moves .move").length === 5`
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 (1. e4 c5 2. Nf3) 1... e5 *")
	b.wait(one)
	b.startReview(100)
	b.wait(`document.querySelector(".summary")`)
	if !eval[bool](b, one) {
		t.Errorf("moves %s", eval[string](b, `document.querySelector("#moves").textContent`))
	}
}

// TestSecondReview reviews a game whose better line an earlier review wrote, and to which
// a move is added meanwhile.
func TestSecondReview(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 {Blunder. a6 was best.} (3... a6 {[%eval 9.00]}) 4. Qxf7# 1-0")
	b.wait(`document.querySelector("#moves .variation")?.textContent.startsWith("3…a6")`)
	b.startReview(500)
	b.home()
	b.drag("d2", "d4")
	b.wait(`document.querySelector(".summary")`)
	const lines = `[...document.querySelectorAll("#moves .variation")].map((e) => e.textContent).join("|")`
	if got := eval[string](b, lines); strings.Contains(got, "3…a6") || !strings.Contains(got, "1.d4") {
		t.Errorf("the variations are %s", got)
	}
}

// TestReviewAgain reviews a game that came with evaluations, and once more.
func TestReviewAgain(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Bc4 {[%eval 0.1]} Nc6 {[%eval 0.2]} " +
		"3. Qh5 {[%eval -0.3]} Nf6 {[%eval #1]} 4. Qxf7# 1-0")
	b.wait(`document.querySelector(".summary")`)
	variations := 0
	for i := range 2 {
		b.startReview(100)
		b.wait(`document.querySelector("#review .source")?.textContent.includes("100ms a move")`)
		n := eval[int](b, `document.querySelectorAll("#moves .variation").length`)
		if i == 0 {
			variations = n
		}
		if n == 0 || n != variations {
			t.Errorf("review %d: %d variations, %d before", i+1, n, variations)
		}
	}
}

// TestBringBack deletes moves of a game twice and brings them back, by key and by button.
func TestBringBack(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. f3 {Why?} e5 2. g4 Qh4# 0-1")
	b.wait(`document.querySelectorAll("#moves .move").length === 4`)
	for _, move := range []int{4, 2} {
		eval[any](b, fmt.Sprintf(`document.querySelectorAll("#moves .move")[%d].click()`, move-1))
		b.do(chromedp.Click("#undo"))
		b.wait(fmt.Sprintf(`document.querySelectorAll("#moves .move").length === %d`, move-1))
	}
	if got := b.result(); got != "*" {
		t.Errorf("without the last move the result is %s", got)
	}
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
	b.wait(`document.querySelectorAll("#moves .move").length === 3`)
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
	b.wait(`document.querySelectorAll("#moves .move").length === 4`)
	if got := b.result(); got != "0-1" {
		t.Errorf("with all moves the result is %s", got)
	}
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl))) // nothing is left to bring back
	b.do(chromedp.Click("#undo"), chromedp.Click("#toast button"))
	b.wait(`document.querySelectorAll("#moves .move").length === 4`)
	if got := eval[string](b, `document.querySelector("#moves .comment").textContent`); got != "Why?" {
		t.Errorf("the comment is %s", got)
	}
}

// TestBringBackGame replaces a game by another and brings it back, and that one again, and
// does so with one that was being played.
func TestBringBackGame(t *testing.T) {
	moves := func(n int) string { return fmt.Sprintf(`document.querySelectorAll("#moves .move").length === %d`, n) }
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 e5 2. Nf3")
	b.wait(moves(3))
	b.importText("1. d4")
	b.wait(moves(1))
	b.do(chromedp.Click("#toast button"))
	b.wait(moves(3))
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
	b.wait(moves(1))
	b.begin("standard")
	b.wait(moves(0))
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl))) // not while a game is played
	b.drag("e2", "e4")
	b.wait(moves(2) + " && " + idle)
	b.importText("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
	b.wait(moves(0) + ` && document.querySelectorAll("#board .piece").length === 3`)
	b.do(chromedp.Click("#toast button"))
	b.wait(moves(2))
}

// TestWheel turns the wheel over the board: many small movements are one step.
func TestWheel(t *testing.T) {
	const scroll = `for (let i = 0; i < %d; i++)
		document.getElementById("board").dispatchEvent(new WheelEvent("wheel", { deltaY: %d, cancelable: true }))`
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *")
	b.wait(`document.querySelectorAll("#moves .move").length === 6`)
	b.home()
	for _, tt := range []struct {
		events, delta int
		want          string
	}{{10, 8, "e4"}, {1, 100, "e5"}, {3, 20, "Nf3"}, {10, -8, "e5"}, {1, -100, "e4"}} {
		time.Sleep(200 * time.Millisecond) // the next swipe
		eval[any](b, fmt.Sprintf(scroll, tt.events, tt.delta))
		b.wait(current + ` === "` + tt.want + `"`)
	}
}

// TestKeyAfterDialog presses Home in a dialog, whose key it is, and again as soon as the
// dialog is closed: its field keeps the focus until the next frame, but no longer the key.
func TestKeyAfterDialog(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 *")
	b.wait(current + ` === "e4" && document.activeElement === document.body`)
	got := eval[[]string](b, `(() => {
		const press = () => {
			const field = document.activeElement;
			field.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
			return field.tagName + " " + document.querySelector("#moves [aria-current]")?.textContent;
		};
		document.getElementById("open-import").click();
		const open = press();
		document.querySelector("#import-dialog .cancel").click();
		return [open, press()];
	})()`)
	if want := []string{"TEXTAREA e4", "TEXTAREA undefined"}; !slices.Equal(got, want) {
		t.Errorf("Home shows %q, want %q", got, want)
	}
}

// TestKeyAfterBox presses Home, and pastes a game, after a click on a check box of the settings,
// which keeps the focus.
func TestKeyAfterBox(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 *")
	b.wait(current + ` === "e4" && ` + idle)
	b.do(chromedp.Click(".settings summary"), chromedp.Click("#set-arrows"))
	b.wait(`document.activeElement.id === "set-arrows"`)
	b.home()
	eval[any](b, `(() => {
		const data = new DataTransfer();
		data.setData("text/plain", "1. d4 *");
		document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
	})()`)
	b.wait(current + ` === "d4"`)
}

// TestVariationComment keeps the comment before a variation that becomes the main line.
func TestVariationComment(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 e5 ({A quieter way:} 1... e6 2. d4) 2. Nf3 *")
	b.wait(`document.querySelectorAll("#moves .move").length === 5`)
	eval[any](b, `document.querySelector("#moves .variation .move").click()`)
	b.do(chromedp.Click("#promote"))
	b.wait(`document.querySelector("#moves .comment")?.textContent === "A quieter way:"`)
	if got := eval[string](b, `JSON.parse(sessionStorage.getItem("game")).moves[0].comment`); got != "A quieter way:" {
		t.Errorf("the comment that is kept is %q", got)
	}
}

// TestChangedMeanwhile deletes the last move of a game, and makes another line the main
// line, while the game is reviewed.
func TestChangedMeanwhile(t *testing.T) {
	for _, change := range []string{"#undo", "#promote"} {
		b := open(t, serve(t))
		b.wait(pieces)
		b.importText("{A miniature} 1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 (3... g6 4. Qf3) 4. Qxf7# 1-0")
		b.wait(`document.querySelectorAll("#moves .move").length === 9`)
		b.startReview(500)
		if change == "#undo" {
			b.do(chromedp.KeyEvent(kb.End))
			b.wait(current + `?.startsWith("Qxf7#")`)
		} else {
			eval[any](b, `document.querySelector("#moves .variation .move").click()`)
		}
		b.do(chromedp.Click(change))
		b.wait(`document.querySelector(".summary")`)
		if got := b.result(); got != "*" {
			t.Errorf("%s: the result is %s", change, got)
		}
		line := eval[string](b, `JSON.parse(sessionStorage.getItem("game")).moves.map((m) => m.san).join(" ")`)
		want := map[string]string{"#undo": "e4 e5 Bc4 Nc6 Qh5 Nf6", "#promote": "e4 e5 Bc4 Nc6 Qh5 g6 Qf3"}[change]
		if line != want {
			t.Errorf("%s: the main line is %s, want %s", change, line, want)
		}
	}
}

// TestBringBackReviewed deletes a move before a game is reviewed, and another one meanwhile, and brings both back in
// the reviewed game, in which the first was played again. The game that was there before comes next.
func TestBringBackReviewed(t *testing.T) {
	undo := chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl))
	line := func(moves string) string {
		return `[...document.querySelectorAll("#moves .main-line > .row > .move")]
			.map((m) => m.firstChild.textContent).join(" ") === "` + moves + `" && ` + idle
	}
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. d4 *")
	b.wait(line("d4"))
	b.importText("[Termination \"normal\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0")
	b.wait(line("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"))
	remove := func(move int, left string) {
		eval[any](b, fmt.Sprintf(`document.querySelectorAll("#moves .move")[%d].click()`, move-1))
		eval[any](b, `document.getElementById("undo").click()`)
		b.wait(line(left))
	}
	remove(6, "e4 e5 Bc4 Nc6 Qh5")
	b.do(chromedp.SendKeys("#typed input", "Nf6"+kb.Enter))
	b.wait(line("e4 e5 Bc4 Nc6 Qh5 Nf6"))
	eval[any](b, `document.activeElement.blur()`)
	b.startReview(500)
	remove(4, "e4 e5 Bc4")
	b.wait(`document.querySelector(".summary")`)
	b.do(undo)
	b.wait(line("e4 e5 Bc4 Nc6 Qh5 Nf6"))
	b.do(undo)
	b.wait(line("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"))
	if got := b.result(); got != "1-0" {
		t.Errorf("the result is %s", got)
	}
	const tags = `["Annotator", "Termination"].map((name) =>
		JSON.parse(sessionStorage.getItem("game")).tags.filter((tag) => tag.name === name).length).join()`
	if got := eval[string](b, tags); got != "1,1" {
		t.Errorf("numbers of tags %s", got)
	}
	b.do(undo)
	b.wait(line("d4"))
}

// TestOpeningComment keeps the comment before the moves when they come and go.
func TestOpeningComment(t *testing.T) {
	const comment = `document.querySelector("#moves .comment")?.textContent === "White to play" && ` +
		`JSON.parse(sessionStorage.getItem("game")).comment === "White to play"`
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n{White to play} *")
	b.wait(`document.querySelectorAll("#board .piece").length === 3 && ` + idle)
	for _, move := range []string{"e2e4", "e2e3"} {
		b.drag(move[:2], move[2:])
		b.wait(`document.querySelectorAll("#moves .move").length === 1 && ` + idle + " && " + comment)
		b.do(chromedp.Click("#undo"))
		b.wait(`document.querySelectorAll("#moves .move").length === 0 && ` + idle + " && " + comment)
	}
}

// TestGameClocks opens a game with the times left, which was not reviewed.
func TestGameClocks(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59]} *")
	for player, want := range map[string]string{"bottom": "3:00", "top": "2:59"} {
		b.wait(fmt.Sprintf(`document.querySelector("#player-%s .clock").textContent === %q`, player, want))
	}
}

// TestOtherMainLine takes its result from a game whose main line becomes another one.
func TestOtherMainLine(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. f3 e5 2. g4 Qh4# 0-1")
	b.wait(`document.querySelectorAll("#moves .move").length === 4 && ` + idle)
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	b.wait(`document.getElementById("announce-move").textContent.startsWith("2. g4")`)
	b.home()
	if got := eval[string](b, `document.getElementById("opening").textContent`); got != "" {
		t.Errorf("at the start of the game the page says %q", got)
	}
	b.drag("e2", "e4")
	b.wait(`document.querySelectorAll("#moves .move").length === 5 && ` + idle)
	b.do(chromedp.Click("#promote"))
	if got := b.result(); got != "*" {
		t.Errorf("the result is %s", got)
	}
}

// TestDialogs drops texts on the dialog that opens games, and enters what is not valid.
func TestDialogs(t *testing.T) {
	const drop = `(() => {
		const data = new DataTransfer();
		data.setData("text/plain", %q);
		document.querySelector("#import-dialog textarea").dispatchEvent(
			new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
	})()`
	b := open(t, serve(t))
	b.wait(pieces)
	eval[any](b, `document.getElementById("open-import").click()`)
	eval[any](b, fmt.Sprintf(drop, "no game"))
	b.wait(`document.querySelector("#import-dialog .error").textContent !== ""`)
	eval[any](b, fmt.Sprintf(drop, "1. e4 e5 2. Bc4 *"))
	b.wait(`!document.getElementById("import-dialog").open && document.querySelectorAll("#moves .move").length === 3`)
	eval[any](b, `document.getElementById("open-setup").click()`)
	b.do(chromedp.SendKeys("#setup-number", "1000"+kb.Enter))
	b.wait(`document.querySelector("#setup-dialog .error").textContent.includes("959")`)
	eval[any](b, `document.getElementById("setup-dialog").close()`)
	eval[any](b, `(() => {
		const lines = document.getElementById("set-lines");
		lines.value = "";
		lines.dispatchEvent(new Event("change"));
	})()`)
	if got := eval[string](b, `document.getElementById("set-lines").value`); got != "3" {
		t.Errorf("%q lines", got)
	}
}

const shortGame = `[White "Schäfer"]
[Black "Novice"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
`

// TestReport opens the report of a game from a file.
func TestReport(t *testing.T) {
	name := writeReport(t)
	b := open(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String())
	b.wait(`document.querySelector(".summary") && document.querySelectorAll("#moves .move").length >= 7`)
	b.do(chromedp.KeyEvent(kb.End))
	b.wait(`document.getElementById("words").textContent.startsWith("4. Qxf7#")`)
	if got := eval[string](b, `document.querySelector("#board [data-square=e8]").getAttribute("aria-label")`); got != "e8, black king, in check" {
		t.Errorf("e8 is %q", got)
	}
	b.do(chromedp.EmulateViewport(320, 568))
	eval[any](b, `document.getElementById("title").textContent = "Novice".repeat(10) + " – Schäfer, 0-1"`)
	if right := b.right(); right > 321 {
		t.Errorf("in 320 pixels the report is %v pixels wide", right)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.requests) != 1 {
		t.Errorf("the report asked for %s", b.requests)
	}
}

// writeReport returns the name of a file with the report of a game.
func writeReport(t *testing.T) string {
	t.Helper()
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText(shortGame)
	b.wait(`document.querySelector("#review button")`)
	b.startReview(100)
	b.wait(`document.querySelector(".summary")`)
	html := eval[string](b, `(async () => {
		const tree = JSON.parse(sessionStorage.getItem("game"));
		const response = await fetch("/api/report", {method: "POST", headers: {"Content-Type": "application/json"},
			body: JSON.stringify(tree)});
		return (await response.json()).html;
	})()`)
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, []byte(html), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestTabs analyzes in two tabs. The engine stops when both are closed.
func TestTabs(t *testing.T) {
	address := serve(t)
	first, second := open(t, address), open(t, address) // both before the turn of the first begins
	first.wait(pieces)
	second.wait(pieces)
	first.do(chromedp.Click("#analyze"))
	first.wait(`document.querySelectorAll("#lines li").length === 3`)
	second.do(chromedp.Click("#analyze"))
	second.wait(`document.getElementById("note").textContent.startsWith("The engine is in use")`)
	second.wait(`document.querySelectorAll("#lines li").length === 3`) // after the turn of the first
	for _, b := range []*tab{first, second} {
		if err := chromedp.Cancel(b.ctx); err != nil {
			t.Fatal(err)
		}
	}
	awaitIdle(t, address)
}

// awaitIdle waits until the engine has nothing to search.
func awaitIdle(t *testing.T, address string) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for busy(t, address) > 0 {
		if time.Now().After(deadline) {
			t.Fatal("the engine searches for nobody")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestHiddenTab analyzes in a tab that pauses while it is hidden and another one
// analyzes.
func TestHiddenTab(t *testing.T) {
	const hide = `Object.defineProperty(document, "hidden", {value: %v, configurable: true}); ` +
		`document.dispatchEvent(new Event("visibilitychange"))`
	address := serve(t)
	first, second := open(t, address), open(t, address)
	for _, b := range []*tab{first, second} {
		b.wait(pieces)
		b.do(chromedp.Click("#analyze"))
		if b == first {
			b.wait(`document.querySelectorAll("#lines li").length === 3`)
			eval[any](b, fmt.Sprintf(hide, true))
		}
	}
	first.wait(`document.getElementById("note").textContent.startsWith("Paused")`)
	second.wait(`document.querySelectorAll("#lines li").length === 3`)
	second.do(chromedp.Click("#analyze"))
	if n := eval[int](first, `document.querySelectorAll("#lines li").length`); n != 3 {
		t.Errorf("the tab that pauses shows %d lines", n)
	}
	eval[any](first, fmt.Sprintf(hide, false))
	first.wait(`document.getElementById("note").hidden && document.querySelectorAll("#lines li").length === 3`)
}

// TestHostileOrigin opens a page of another origin that tries to use the engine.
func TestHostileOrigin(t *testing.T) {
	address := serve(t)
	hostile := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>hostile</title>")
	}))
	defer hostile.Close()
	b := open(t, hostile.URL)
	for _, attempt := range []string{
		`fetch("%sapi/engine").then((r) => r.text())`,
		`fetch("%sapi/position", {method: "POST", headers: {"Content-Type": "application/json"}, body: "{}"}).then((r) => r.text())`,
		`fetch("%sapi/analyze", {method: "POST", mode: "no-cors", body: '{"lines":1,"threads":1,"hash":1}'}).then((r) => r.text())`,
	} {
		got := eval[string](b, fmt.Sprintf(attempt, address)+`.catch((e) => "refused")`)
		if got != "refused" && got != "" { // what a response without CORS has is not shown
			t.Errorf("%s: %s", attempt, got)
		}
	}
	if n := busy(t, address); n != 0 {
		t.Errorf("%d searches", n)
	}
	loaded := eval[string](b, fmt.Sprintf(`new Promise((done) => {
		const frame = document.createElement("iframe");
		frame.src = "%s";
		frame.onload = () => { try { done(frame.contentDocument ? "read" : "opaque"); } catch { done("opaque"); } };
		document.body.append(frame);
	})`, address))
	if loaded != "opaque" {
		t.Errorf("the frame is %s", loaded)
	}
	b.mu.Lock()
	b.faults = nil // the browser reports that it refused
	b.mu.Unlock()
}

// TestAccessibility runs axe-core, whose file AXE names, on the page in several states.
func TestAccessibility(t *testing.T) {
	name := os.Getenv("AXE")
	if name == "" {
		t.Skip("AXE names no file with axe-core")
	}
	axe, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	check := func(b *tab, state string) {
		t.Helper()
		eval[any](b, string(axe)+"; null")
		findings := eval[[]string](b, `axe.run().then((r) => r.violations
			.filter((v) => v.impact === "serious" || v.impact === "critical")
			.map((v) => v.id + ": " + v.help + " " + v.nodes.map((n) => n.html.slice(0, 150)).join("; ")))`)
		for _, finding := range findings {
			t.Errorf("%s: %s", state, finding)
		}
	}
	for _, theme := range []string{"light", "dark"} {
		b := open(t, serve(t))
		b.wait(pieces)
		eval[any](b, fmt.Sprintf(`document.documentElement.dataset.theme = "%s"`, theme))
		check(b, theme+", new")
		b.importText(shortGame)
		b.wait(`document.querySelector("#review button")`)
		eval[any](b, `document.querySelector("#review select").value = "100"`)
		b.do(chromedp.Click("#start-review"), chromedp.WaitVisible(".summary"), chromedp.Click("#analyze"),
			chromedp.WaitVisible("#lines li"))
		check(b, theme+", reviewed")
		for _, dialog := range []string{"play", "import", "setup", "export"} {
			eval[any](b, fmt.Sprintf(`document.getElementById("open-%s").click()`, dialog))
			b.wait(fmt.Sprintf(`document.getElementById("%s-dialog").open`, dialog))
			check(b, theme+", "+dialog)
			eval[any](b, fmt.Sprintf(`document.getElementById("%s-dialog").close()`, dialog))
		}
	}
	b := open(t, (&url.URL{Scheme: "file", Path: filepath.ToSlash(writeReport(t))}).String())
	b.wait(`document.querySelector(".summary")`)
	check(b, "report")
}

// TestClocksSent expects the engine to be asked with each side's clock and its strength.
func TestClocksSent(t *testing.T) {
	b := open(t, serve(t))
	eval[any](b, laterClock)
	eval[any](b, `(() => {
		const send = window.fetch;
		window.sent = [];
		window.fetch = (path, options) => {
			if (path === "/api/play") window.sent.push(JSON.parse(options.body));
			return send(path, options);
		};
	})()`)
	b.wait(pieces)
	b.begin("standard")
	b.drag("e2", "e4")
	b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
	eval[any](b, `window.passed += 60e3`)
	b.drag("d2", "d3")
	b.wait(`window.sent.length === 2`)
	got := eval[[3]float64](b, `[sent[1].elo, sent[1].white_ms, sent[1].black_ms]`)
	if got[0] != 600 || got[1] < 60e3 || got[1] > 130e3 || got[2] < 150e3 {
		t.Errorf("strength and clocks %v", got)
	}
}
