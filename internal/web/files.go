package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"skein/board"
	"skein/chess"
)

//go:embed assets
var assets embed.FS

// file is a file of the page.
type file struct {
	contentType, tag string
	content          []byte
}

// contentTypes are those of files by the ends of their names.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

func newFile(name string, content []byte) file {
	sum := sha256.Sum256(content)
	return file{contentTypes[path.Ext(name)], `"` + hex.EncodeToString(sum[:8]) + `"`, content}
}

// ServeHTTP implements http.Handler. Browsers ask each time whether a file has changed.
func (f file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", f.contentType)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.content))
}

// asset returns an embedded file, which must exist.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// pageFiles returns all files of the page by their paths.
func pageFiles() map[string]file {
	icon := board.PieceSVG(chess.MakePiece(chess.White, chess.Knight), board.LightTheme())
	files := map[string]file{
		"/{$}":      newFile("index.html", []byte(page("index.html"))),
		"/icon.svg": newFile("icon.svg", []byte(icon)),
	}
	entries, err := fs.ReadDir(assets, "assets")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".html" {
			files["/"+e.Name()] = newFile(e.Name(), []byte(asset(e.Name())))
		}
	}
	return files
}

// page returns an embedded page with the drawings of pieces and the parts that pages
// share in place of their marks: that of table.html is <!-- table -->.
func page(name string) string {
	marks := []string{"<!-- pieces -->", pieceSymbols()}
	for _, part := range []string{"icons", "table", "steps"} {
		marks = append(marks, "<!-- "+part+" -->", asset(part+".html"))
	}
	return strings.NewReplacer(marks...).Replace(asset(name))
}

// pieceSymbols returns the drawings of all pieces, to be used by their names: color
// and type, as in wN.
func pieceSymbols() string {
	var s strings.Builder
	s.WriteString(`<svg class="symbols" aria-hidden="true"><defs>` + "\n")
	for _, color := range []chess.Color{chess.White, chess.Black} {
		for kind := chess.Pawn; kind <= chess.King; kind++ {
			p := chess.MakePiece(color, kind)
			name := color.String()[:1] + string(chess.MakePiece(chess.White, kind).Letter())
			s.WriteString(`<g id="` + name + `">` + strings.TrimSpace(board.PieceSVG(p, board.LightTheme())) + "</g>\n")
		}
	}
	s.WriteString("</defs></svg>")
	return s.String()
}
