package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// longGame is a game to review.
const longGame = `[Event "Rated blitz game"]
[White "Adams"]
[Black "Torre"]
[WhiteElo "2010"]
[BlackElo "1995"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 exd4 4. Qxd4 Nc6 5. Bb5 Bd7 6. Bxc6 Bxc6 7. Nc3 Nf6 8. O-O Be7 9. Nd5 Bxd5
10. exd5 O-O 11. Bg5 c6 12. c4 cxd5 13. cxd5 Re8 14. Rfe1 a5 15. Re2 Rc8 16. Rae1 Qd7 17. Bxf6 Bxf6
18. Qg4 Qb5 19. Qc4 Qd7 20. Qc7 Qb5 21. a4 Qxa4 22. Re4 Qb5 23. Qxb7 1-0
`

// TestPictures takes pictures of the page into the folder that BROWSER_PICTURES names.
func TestPictures(t *testing.T) {
	folder := os.Getenv("BROWSER_PICTURES")
	if folder == "" {
		t.Skip("BROWSER_PICTURES names no folder")
	}
	url := serve(t)
	report := "file://" + filepath.ToSlash(writeReport(t))
	for _, width := range []int64{390, 1280} {
		for _, theme := range []string{"light", "dark"} {
			height, phone := int64(960), width < 500
			if phone {
				height = 844
			}
			b := open(t, url, chromedp.EmulateViewport(width, height),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
					{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
				}))
			shoot := func(name string, full bool) {
				var picture []byte
				shot := chromedp.CaptureScreenshot(&picture)
				if full {
					shot = chromedp.FullScreenshot(&picture, 100)
				}
				b.do(shot)
				name = filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", name, width, theme))
				if err := os.WriteFile(name, picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			b.wait(pieces)
			b.importText(longGame)
			b.wait(`document.querySelectorAll("#moves .move").length > 40`)
			eval[any](b, `document.querySelector("#review select").value = "100"`)
			eval[any](b, `document.getElementById("start-review").click()`)
			b.wait(`document.querySelector(".summary")`)
			eval[any](b, `document.querySelectorAll("#moves .row > .move")[34].click()`)
			eval[any](b, `document.getElementById("analyze").click()`)
			b.wait(`document.querySelectorAll("#lines li").length === 3 && Number(document.getElementById("effort").textContent.match(/\d+/)?.[0]) > 11`)
			shoot("review", phone)
			eval[any](b, `document.getElementById("analyze").click()`)
			eval[any](b, `document.getElementById("open-play").click()`)
			shoot("play", false)
			eval[any](b, `document.getElementById("play-dialog").close()`)
			eval[any](b, `document.getElementById("open-setup").click()`)
			shoot("setup", false)
			eval[any](b, `document.getElementById("setup-dialog").close()`)
			eval[any](b, `document.getElementById("open-play").click()`)
			eval[any](b, `document.querySelector("#play-dialog [value='5+3']").click()`)
			b.do(chromedp.Click(`#play-dialog [value=play]`))
			b.wait(pieces)
			b.drag("e2", "e4")
			b.wait(`document.querySelectorAll("#moves .move").length === 2`)
			x, y := b.square("g1")
			b.do(chromedp.MouseClickXY(x, y))
			shoot("game", false)
			b.do(chromedp.Navigate(report))
			b.wait(`document.querySelector(".summary")`)
			eval[any](b, `document.querySelector("#moves .blunder").click()`)
			shoot("report", phone)
		}
	}
}

// importText opens a game or position by the dialog.
func (b *tab) importText(text string) {
	b.t.Helper()
	eval[any](b, `document.getElementById("open-import").click()`)
	eval[any](b, fmt.Sprintf("document.querySelector('#import-dialog textarea').value = `%s`", text))
	eval[any](b, `document.getElementById("import").click()`)
}
