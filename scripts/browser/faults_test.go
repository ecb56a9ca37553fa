package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestGameTree changes games without showing them.
func TestGameTree(t *testing.T) {
	const prelude = `(async () => {
		const { Game } = await import("/game.js");
		const move = (uci) => ({ uci, san: uci, fen: "" });
		const add = (game, node, uci) => game.add(node, { last: move(uci), fen: "" });
		const end = (game) => game.result + " " + (game.ending?.text ?? "") + game.tag("Termination");
		const line = (node) => node.uci + node.children.map((child) => "(" + line(child) + ")").join("");
		const made = (...moves) => {
			const game = new Game({ fen: "", moves: moves.map(move), result: "1-0",
				tags: [{ name: "Termination", value: "time forfeit" }] });
			game.ending = { node: game.mainLine().at(-1), text: "time, " };
			return game;
		};
		`
	b := open(t, serve(t))
	b.wait(pieces)
	for _, tt := range []struct{ name, script, want string }{
		{"a long game is merged", `
			const moves = Array.from({ length: 20000 }, (_, i) => String(i));
			const game = made(...moves);
			const known = new Set(game.nodes());
			add(game, game.mainLine().at(-1), "last");
			const other = made(...moves);
			other.merge(game, known);
			return other.mainLine().length + end(other);`, "20001* "},
		{"a merged game keeps the tags of the review", `
			const game = made("a");
			const known = new Set(game.nodes());
			add(game, game.mainLine().at(-1), "b");
			const other = made("a");
			other.tags.push({ name: "Annotator", value: "Skein" });
			other.merge(game, known);
			return line(other.root) + end(other) + other.tag("Annotator");`, "(a(b))* Skein"},
		{"the main line goes on after its end", `
			const game = made("a", "b");
			add(game, game.mainLine()[0], "c");
			const before = end(game);
			add(game, game.mainLine()[1], "d");
			return before + " | " + end(game);`, "1-0 time, time forfeit | * "},
		{"a deleted end comes back", `
			const game = made("a", "b");
			const restore = game.remove(game.mainLine()[1]);
			const between = end(game);
			restore();
			return between + " | " + end(game);`, "*  | 1-0 time, time forfeit"},
		{"a move after the end is tried and deleted", `
			const game = made("a", "b");
			const next = add(game, game.mainLine()[1], "c");
			const between = end(game);
			const restore = game.remove(next);
			const deleted = end(game);
			restore();
			return between + " | " + deleted + " | " + end(game);`, "*  | 1-0 time, time forfeit | * "},
		{"a deleted variation comes back beside another end", `
			const game = made("a", "b");
			const restore = game.remove(add(game, game.root, "c"));
			game.remove(game.mainLine()[1]);
			restore();
			return line(game.root) + end(game);`, "(a)(c)* "},
		{"a deleted main line comes back as a variation", `
			const game = made("a", "b");
			const other = add(game, game.root.children[0], "c");
			add(game, other, "d");
			const restore = game.remove(game.root.children[0].children[0]);
			game.result = "0-1";
			game.promote(add(game, game.root, "e"));
			game.result = "0-1";
			restore();
			return line(game.root) + end(game);`, "(e)(a(b)(c(d)))0-1 "},
		{"a deleted move comes back after it was played again", `
			const game = made("a", "b", "c");
			const restore = game.remove(game.mainLine()[1]);
			add(game, add(game, add(game, game.mainLine()[0], "b"), "c"), "d");
			restore();
			return line(game.root) + end(game);`, "(a(b(c(d))))* "},
		{"a deleted move comes back beside a variation with the same move", `
			const game = new Game({ fen: "", moves: [{ ...move("a"), variations: [{ moves: ["a", "b"].map(move) }] }] });
			game.remove(game.root.children[0])();
			return line(game.root);`, "(a)(a(b))"},
	} {
		if got := eval[string](b, prelude+tt.script+"})()"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestRequests writes a game for requests and to be kept: what follows from the moves is
// only kept.
func TestRequests(t *testing.T) {
	const script = `import("/game.js").then(({ Game }) => {
		const first = { uci: "e2e4", glyphs: [1], san: "e4", squares: ["e2", "e4"], fen: "f", clock: 1, review: { best: "x" } };
		const other = { comment: "b", moves: [{ uci: "c7c5", san: "c5", fen: "h", check: "e8" }] };
		const moves = [first, { uci: "e7e5", san: "e5", fen: "g", comment: "c", variations: [other] }];
		const game = new Game({ fen: "s", comment: "a", moves, review: { limit: "1s" } });
		return JSON.stringify(game.%s());
	})`
	const start = `{"tags":[],"fen":"s","chess960":false,"result":"*","comment":"a","moves":[`
	b := open(t, serve(t))
	b.wait(pieces)
	for method, want := range map[string]string{
		"gameRequest": start + `{"uci":"e2e4","glyphs":[1]},` +
			`{"comment":"c","uci":"e7e5","variations":[{"comment":"b","moves":[{"uci":"c7c5"}]}]}]}`,
		"reportRequest": start + `{"uci":"e2e4","glyphs":[1],"review":{"best":"x"}},` +
			`{"comment":"c","uci":"e7e5","variations":[{"comment":"b","moves":[{"uci":"c7c5"}]}]}],"review":{"limit":"1s"}}`,
		"tree": start + `{"uci":"e2e4","san":"e4","squares":["e2","e4"],"fen":"f","glyphs":[1],"clock":1,` +
			`"review":{"best":"x"}},{"comment":"c","uci":"e7e5","san":"e5","fen":"g","variations":[{"comment":"b",` +
			`"moves":[{"uci":"c7c5","san":"c5","fen":"h","check":"e8"}]}]}],"check":"","review":{"limit":"1s"}}`,
	} {
		if got := eval[string](b, fmt.Sprintf(script, method)); got != want {
			t.Errorf("%s: %s, want %s", method, got, want)
		}
	}
}

// TestLongVariation opens a game with a variation of very many moves, and exports it.
func TestLongVariation(t *testing.T) {
	const moves = 40000
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 (1. " + strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", moves/4) + ") *")
	b.wait(fmt.Sprintf(`document.querySelectorAll("#moves .move").length === %d && `, moves+1) + idle)
	eval[any](b, `document.getElementById("open-export").click()`)
	b.wait(`document.getElementById("export-dialog").open`)
	const written = `document.querySelector("#export-dialog textarea").value.match(/N[fg]\d/g).length`
	if got := eval[int](b, written); got != moves {
		t.Errorf("%d moves of %d in the PGN", got, moves)
	}
}

// TestReadable reads comments without their commands, also where none of very many is
// closed.
func TestReadable(t *testing.T) {
	const readable = `import("/moves.js").then(({ readable }) => `
	b := open(t, serve(t))
	b.wait(pieces)
	if got := eval[string](b, readable+`readable("[%clk 0:01]  a [%eval 1.5] [b]\nc[%"))`); got != "a [b] c[%" {
		t.Errorf("read as %q", got)
	}
	took := eval[float64](b, readable+`{
		const began = performance.now();
		readable("[%x ".repeat(1e6));
		return performance.now() - began;
	})`)
	if took > 5000 {
		t.Errorf("4 MB were read in %v ms", took)
	}
}

// holdRequests lets requests fail while down is true, and those for games wait for
// answer if there is one.
const holdRequests = `(() => {
	const send = window.fetch;
	window.fetch = async (path, options) => {
		if (window.down) throw new TypeError("lost");
		if (path === "/api/import") await window.answer;
		return send(path, options);
	};
})()`

// TestLost shows another position, and begins a game, while the server does not answer.
func TestLost(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	eval[any](b, holdRequests)
	b.importText("1. f3 e5 2. g4 Qh4# 0-1")
	b.wait(outcome + ` === "0-1, checkmate"`)
	eval[any](b, `window.down = true`)
	b.do(chromedp.KeyEvent(kb.ArrowLeft))
	b.wait(`document.getElementById("outcome").hidden && document.getElementById("board").ariaBusy === "true"`)
	eval[any](b, `document.getElementById("toast").textContent = ""`)
	eval[any](b, `document.getElementById("open-play").click()`)
	b.do(chromedp.Click(`#play-dialog [value=play]`))
	b.wait(`document.getElementById("toast").textContent.startsWith("The engine does not answer")`)
	if got := b.moves(); got != "f3 e5 g4 Qh4#" {
		t.Errorf("moves %s", got)
	}
	eval[any](b, `window.down = false`)
	b.wait(idle)
}

// loseRequests lets requests fail whose path is in lost.
const loseRequests = `(() => {
	const send = window.fetch;
	window.lost = "/api/position";
	window.fetch = (path, options) => path === lost ? Promise.reject(new TypeError("lost")) : send(path, options);
})()`

// reload begins a game, in which the server does not answer with the engine's move, and
// reloads the page with a script.
func reload(t *testing.T, script string) *tab {
	t.Helper()
	b := open(t, serve(t))
	b.wait(pieces)
	b.begin("standard")
	eval[any](b, loseRequests)
	eval[any](b, `window.lost = "/api/play"`)
	b.drag("e2", "e4")
	b.wait(`document.querySelectorAll("#moves .move").length === 1 && ` + idle)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	}), chromedp.Reload())
	return b
}

// TestResumeLost reloads the page when the engine is to move, while the server does not
// answer.
func TestResumeLost(t *testing.T) {
	b := reload(t, loseRequests)
	b.wait(`document.getElementById("toast").textContent.startsWith("The engine does not answer")`)
	eval[any](b, `window.lost = ""`)
	b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
}

// TestResumeBack reloads the page when the engine is to move, and steps back before the
// server has said what it knows of the last position, which comes before or after what it
// knows of the position that is shown.
func TestResumeBack(t *testing.T) {
	const hold = `(() => {
		const send = window.fetch;
		window.held = [];
		let asked = 0;
		window.fetch = async (path, options) => {
			if (path === "/api/position" && ++asked > 1) await new Promise((resolve) => held.push(resolve));
			return send(path, options);
		};
	})()`
	for _, order := range []string{
		"held[0](), held[1](); await pause(); held[2]()",
		"held[2](); await pause(); held[0](), held[1]()",
	} {
		b := reload(t, hold)
		b.wait(`window.held?.length === 2`) // requests for the last position
		b.do(chromedp.KeyEvent(kb.ArrowLeft))
		b.wait(`window.held.length === 3`)
		eval[any](b, `(async () => {
			const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
			`+order+`;
		})()`)
		b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
	}
}

// TestLateServer opens the page before the server answers.
func TestLateServer(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(loseRequests + `; lost = "/api/engine"`).Do(ctx)
		return err
	}), chromedp.Reload())
	b.wait(`document.getElementById("toast").textContent.startsWith("The engine does not answer")`)
	eval[any](b, `window.lost = ""`)
	b.wait(pieces + " && " + idle)
}

// TestLeaveDrag shows another position while a piece is dragged.
func TestLeaveDrag(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. Nf3 Nf6 *")
	b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
	x, y := b.square("f3")
	b.do(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1),
		input.DispatchMouseEvent(input.MouseMoved, x, y-100).WithButton(input.Left))
	b.wait(`document.querySelector("#board .dragged")`)
	eval[any](b, `document.getElementById("first").click()`)
	b.do(input.DispatchMouseEvent(input.MouseReleased, x, y-100).WithButton(input.Left).WithClickCount(1))
	const onF3 = `[...document.querySelectorAll("#board .piece")].some((e) => e.style.transform === "translate(500%, 500%)")`
	if eval[bool](b, onF3) {
		t.Error("the knight is drawn on f3")
	}
}

// TestLateView drags a piece while a second answer about the same position arrives.
func TestLateView(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 *")
	b.wait(current + ` === "e4" && ` + idle)
	eval[any](b, `(() => {
		const send = window.fetch;
		window.held = [];
		window.fetch = async (path, options) => {
			if (held.length < 2) await new Promise((resolve) => held.push(resolve));
			return send(path, options);
		};
	})()`)
	b.do(chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.Home))
	b.wait(`window.held.length === 2`)
	eval[any](b, `held[0]()`)
	b.wait(idle)
	x, y := b.square("d2")
	u, v := b.square("d4")
	b.do(input.DispatchMouseEvent(input.MousePressed, x, y).WithButton(input.Left).WithClickCount(1),
		input.DispatchMouseEvent(input.MouseMoved, u, v).WithButton(input.Left))
	b.wait(`document.querySelector("#board .dragged")`)
	eval[any](b, `(async () => { held[1](); await new Promise((resolve) => setTimeout(resolve, 500)); })()`)
	b.do(input.DispatchMouseEvent(input.MouseReleased, u, v).WithButton(input.Left).WithClickCount(1))
	b.wait(current + ` === "d4"`)
}

// TestFENField moves on while the field of the FEN has the focus, and enters what is no
// FEN.
func TestFENField(t *testing.T) {
	const value = `document.getElementById("fen").value`
	b := open(t, serve(t))
	b.wait(pieces)
	start := eval[string](b, value)
	b.importText("1. e4 *")
	b.wait(`document.querySelectorAll("#moves .move").length === 1 && ` + idle)
	for _, script := range []string{"focus()", "blur()"} {
		eval[any](b, `document.getElementById("fen").`+script+`; document.getElementById("first").click()`)
	}
	if got := eval[string](b, value); got != start {
		t.Errorf("%s, want %s", got, start)
	}
	b.do(chromedp.SendKeys("#fen", "nothing"+kb.Enter)) // remains, to be corrected
	b.wait(`document.getElementById("toast").textContent.includes("nothing")`)
	if got := eval[string](b, value); got != "nothing" {
		t.Errorf("%s, want nothing", got)
	}
	eval[any](b, `document.getElementById("fen").blur()`)
	b.wait(value + ` === "` + start + `"`)
}

// holdImports opens the page and holds requests for games until window.go is called.
func holdImports(t *testing.T) *tab {
	b := open(t, serve(t))
	b.wait(pieces)
	eval[any](b, holdRequests)
	eval[any](b, `(() => { window.answer = new Promise((resolve) => { window.go = resolve; }); })()`)
	return b
}

// paste pastes a text outside all dialogs.
func (b *tab) paste(text string) {
	eval[any](b, fmt.Sprintf(`(() => {
		const data = new DataTransfer();
		data.setData("text/plain", %q);
		document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
	})()`, text))
}

// TestTwoPastes pastes a game while another one is read.
func TestTwoPastes(t *testing.T) {
	b := holdImports(t)
	b.paste("1. e4 e5 *")
	eval[any](b, `window.answer = undefined`)
	b.paste("1. d4 *")
	b.wait(`document.querySelector("#moves .move")?.textContent === "d4" && ` + idle)
	eval[any](b, `window.go()`)
	b.do(chromedp.KeyEvent(kb.Home)) // whose request comes after that of the first game
	b.wait(pieces)
	if got := b.moves(); got != "d4" {
		t.Errorf("moves %s", got)
	}
}

// TestLateImport begins a game while another one is read.
func TestLateImport(t *testing.T) {
	b := holdImports(t)
	b.paste("1. d4 *")
	b.begin("standard")
	eval[any](b, `window.go()`)
	b.drag("e2", "e4")
	b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
	if got := b.moves(); !strings.HasPrefix(got, "e4 ") || eval[bool](b, `document.getElementById("resign").hidden`) {
		t.Errorf("moves %s", got)
	}
}

// TestCancelImport cancels the reading of a game, which does not come later and is no
// error, whether its answer comes before or after the dialog's event.
func TestCancelImport(t *testing.T) {
	for _, late := range []bool{false, true} {
		b := holdImports(t)
		eval[any](b, fmt.Sprintf(`(() => {
			window.addEventListener("close", (event) => %t ? event.stopPropagation() : window.go(), true);
		})()`, late))
		b.importText("1. e4 *")
		eval[any](b, `document.querySelector("#import-dialog .cancel").click()`)
		if late {
			eval[any](b, `window.go()`)
		}
		b.do(chromedp.SendKeys("#typed input", "d4"+kb.Enter)) // whose request comes after that of the game
		b.wait(`document.querySelector("#moves .move")?.textContent && ` + idle)
		got, err := b.moves(), eval[string](b, `document.querySelector("#import-dialog .error").textContent`)
		if got != "d4" || err != "" {
			t.Errorf("event held %t: moves %s, error %q", late, got, err)
		}
	}
}

// TestLateMove resigns a game while the server has a move of it.
func TestLateMove(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.begin("standard")
	b.drag("e2", "e4")
	b.wait(`document.querySelectorAll("#moves .move").length === 2 && ` + idle)
	eval[any](b, `(() => {
		const send = window.fetch;
		window.fetch = async (path, options) => {
			const response = await send(path, options);
			if (!options?.body?.includes('"play":')) return response;
			const body = await response.text();
			await new Promise((resolve) => { window.answer = resolve; });
			return new Response(body, response);
		};
	})()`)
	b.drag("d2", "d3")
	b.wait(`window.answer`)
	b.do(chromedp.Click("#resign"))
	b.wait(outcome + ` === "0-1, resignation"`)
	// A move is shown half a second after the request at the latest.
	eval[any](b, `(async () => { window.answer(); await new Promise((resolve) => setTimeout(resolve, 500)); })()`)
	if got := b.moves(); strings.Contains(got, "d3") || b.result() != "0-1" {
		t.Errorf("moves %s, result %s, %s", got, b.result(), eval[string](b, outcome))
	}
}

// TestLateChess960 enters the number of a position and taps Analyze, while the server has
// not answered which position that is.
func TestLateChess960(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	eval[any](b, `(() => {
		const send = window.fetch;
		window.fetch = async (path, options) => {
			if (path === "/api/chess960") await new Promise((resolve) => { window.answer = resolve; });
			return send(path, options);
		};
	})()`)
	for _, tt := range []struct{ number, want string }{{"960", "959"}, {"0", "bbqnnrkr"}} {
		b.do(chromedp.Click("#open-setup"), chromedp.SendKeys("#setup-number", tt.number), chromedp.Click("#setup-done"))
		b.wait(`window.answer`)
		eval[any](b, `(async () => {
			await new Promise((resolve) => setTimeout(resolve, 500)); // for requests that do not wait
			answer(answer = null);
		})()`)
		b.wait(`(document.querySelector("#setup-dialog[open] .error")?.textContent ?? document.getElementById("fen").value)` +
			`.includes("` + tt.want + `")`)
		eval[any](b, `document.getElementById("setup-dialog").close()`)
		eval[any](b, `document.getElementById("setup-number").value = ""`)
	}
}

// TestMoveMeanwhile plays a move while a review is completed: the answer to the move comes
// after the review.
func TestMoveMeanwhile(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.importText("1. e4 e5 *")
	b.wait(current + ` === "e5" && ` + idle)
	b.startReview(500)
	eval[any](b, `(() => {
		const send = window.fetch;
		window.fetch = async (path, options) => {
			if (options?.body?.includes('"play":')) await new Promise((resolve) => setTimeout(resolve, 4000));
			return send(path, options);
		};
	})()`)
	b.drag("g1", "f3")
	b.wait(`document.querySelector(".summary")`)
	b.wait(`document.querySelectorAll("#moves .move").length === 3`)
}

// TestEditChess960 changes a position of Chess960 that was chosen by its number.
func TestEditChess960(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	eval[any](b, `document.getElementById("open-setup").click()`)
	b.do(chromedp.SendKeys("#setup-number", "0"))
	// The driver's key would also press the button Analyze.
	eval[any](b, `document.getElementById("setup-number").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }))`)
	b.wait(`document.querySelector("#setup-board [data-square=a1]").ariaLabel === "a1, white bishop"`)
	b.do(chromedp.MouseClickXY(b.center("#setup-board [data-square=e2]")))
	eval[any](b, `document.getElementById("setup-done").click()`)
	b.wait(`document.getElementById("fen").value.startsWith("bbqnnrkr/pppppppp/8/8/8/8/PPPP1PPP/BBQNNRKR")`)
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := strings.Count(strings.Join(b.requests, "\n"), "/api/chess960"); n != 1 {
		t.Errorf("%d positions of Chess960 were asked for", n)
	}
}

// TestLongWords shows games with long words in their texts in a narrow window.
func TestLongWords(t *testing.T) {
	text := strings.NewReplacer("LONG", "https://127.0.0.1/"+strings.Repeat("abcdefgh", 10)).Replace(
		"[Event \"LONG\"]\n[White \"LONG\"]\n\n{LONG} 1. e4 {LONG} (1. d4 {LONG}) *\n\n")
	const tooWide = `[...document.querySelectorAll("html, #moves, .games, dialog[open]")]
		.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.tagName + " " + e.id + e.className)`
	b := open(t, serve(t), chromedp.EmulateViewport(320, 568))
	b.wait(pieces)
	b.importText(text)
	b.wait(`document.querySelectorAll("#moves .move").length === 2`)
	b.home()
	for _, e := range eval[[]string](b, tooWide) {
		t.Errorf("too wide: %s", e)
	}
	b.importText(text + text)
	b.wait(`document.getElementById("games-dialog").open`)
	for _, e := range eval[[]string](b, tooWide) {
		t.Errorf("with a choice of games too wide: %s", e)
	}
}

// TestNarrowReview shows a reviewed game between players with long names, the analysis
// and a dialog in a narrow window, which nothing exceeds.
func TestNarrowReview(t *testing.T) {
	name := strings.Repeat("Novice", 10)
	b := open(t, serve(t), chromedp.EmulateViewport(320, 568))
	b.wait(pieces)
	b.importText(fmt.Sprintf("[White \"?\"]\n[Black %q]\n\n"+
		"1. f3 {[%%eval -0.5]} e5 {[%%eval -0.6]} 2. g4 {[%%eval #-1]} Qh4# 0-1", name))
	b.wait(`document.querySelector(".summary")`)
	b.do(chromedp.KeyEvent(kb.Home), chromedp.KeyEvent("l"))
	b.wait(`document.querySelectorAll("#lines li").length === 3 && document.getElementById("effort").textContent !== "…"`)
	eval[any](b, `document.getElementById("score").textContent = "+153.27"`)
	if right := b.right(); right > 321 {
		t.Errorf("the page is %v pixels wide", right)
	}
	if got := eval[string](b, `document.querySelector(".summary thead").innerText.trim()`); !strings.HasPrefix(got, "White") {
		t.Errorf("the head of the summary is %q", got)
	}
	for _, dialog := range []string{"play", "import", "setup", "export"} {
		eval[any](b, fmt.Sprintf(`document.getElementById("open-%s").click()`, dialog))
		b.wait(fmt.Sprintf(`document.getElementById("%s-dialog").open`, dialog))
		box := eval[[2]int](b, fmt.Sprintf(`(() => {
			const { scrollWidth, clientWidth } = document.getElementById("%s-dialog");
			return [scrollWidth, clientWidth];
		})()`, dialog))
		if box[0] > box[1] {
			t.Errorf("the dialog %s has %d pixels for %d", dialog, box[1], box[0])
		}
		eval[any](b, fmt.Sprintf(`document.getElementById("%s-dialog").close()`, dialog))
	}
}

// TestStorage opens the page with damaged values in the browser's storage, and plays a
// game while nothing can be stored.
func TestStorage(t *testing.T) {
	b := open(t, serve(t))
	for _, game := range []string{`{}`, `{"fen":"x"}`, `null`} {
		b.wait(pieces)
		eval[any](b, fmt.Sprintf(`(() => {
			sessionStorage.setItem("game", %q);
			sessionStorage.setItem("play", "{bad");
			localStorage.setItem("analysis-lines", "0");
			localStorage.setItem("analysis-threads", "0.5");
			localStorage.setItem("analysis-hash", "3");
			localStorage.setItem("analysis-depth", "-3");
		})()`, game))
		b.do(chromedp.Reload())
	}
	b.wait(pieces)
	values := eval[[]string](b, `["lines", "threads", "hash", "depth"].map((name) => document.getElementById("set-" + name).value)`)
	if got, want := strings.Join(values, " "), "3 1 16 "; got != want {
		t.Errorf("settings %q, want %q", got, want)
	}
	eval[any](b, `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }`)
	eval[any](b, `document.getElementById("theme").click()`)
	b.begin("standard")
	b.drag("e2", "e4")
	b.wait(`document.querySelectorAll("#moves .move").length === 2`)
	eval[any](b, `localStorage.clear()`)
}

// TestForbiddenStorage opens the page where the user has forbidden the browser to store
// anything, and chooses a theme.
func TestForbiddenStorage(t *testing.T) {
	b := open(t, serve(t))
	b.wait(pieces)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`for (const name of ["localStorage", "sessionStorage"]) {
			Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });
		}`).Do(ctx)
		return err
	}), chromedp.Reload())
	b.wait(pieces + " && " + idle)
	b.do(chromedp.Click("#theme"))
	b.drag("e2", "e4")
	b.wait(`document.querySelectorAll("#moves .move").length === 1`)
}

// TestLeavePage leaves the page, which the browser keeps, during an analysis, and comes
// back.
func TestLeavePage(t *testing.T) {
	const transition = `dispatchEvent(new PageTransitionEvent("%s", { persisted: true }))`
	address := serve(t)
	b := open(t, address)
	b.wait(pieces)
	b.do(chromedp.Click("#analyze"))
	b.wait(`document.querySelectorAll("#lines li").length === 3`)
	eval[any](b, fmt.Sprintf(transition, "pagehide"))
	awaitIdle(t, address)
	eval[any](b, fmt.Sprintf(transition, "pageshow"))
	b.wait(`document.querySelectorAll("#lines li").length === 3`)
	if busy(t, address) != 1 {
		t.Error("the analysis does not go on")
	}
}
