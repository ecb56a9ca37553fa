//go:build linux

package main

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"
)

// report checks what arrived and writes a table of it. It returns an error if
// anything is missing.
func report(ctx context.Context, m *material, s *site, h *hub, w []*workload, out io.Writer) error {
	data, test, tune := w[0], w[1], w[2]
	failed := false
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table)
	row := func(name, result string, err error) {
		if err != nil {
			result, failed = "FAILED: "+err.Error(), true
		}
		fmt.Fprintf(table, "%s\t%s\n", name, result)
	}
	result, err := checkBench(m, test, tune)
	row("bench", result, err)
	result, err = checkNetwork(ctx, m, s)
	row("network", result, err)
	result, err = checkData(ctx, m, s, data)
	row("data", result, err)
	result, err = checkTest(test)
	row("test", result, err)
	result, err = checkTune(ctx, m, s, tune)
	row("SPSA", result, err)
	result, err = checkRefused(h)
	row("other addresses", result, err)
	if err := table.Flush(); err != nil {
		return err
	}
	if failed {
		return errors.New("not everything worked")
	}
	return nil
}

// checkBench checks that the server found the signatures in the commit messages;
// the worker has compared them with those of the engines.
func checkBench(m *material, test, tune *workload) (string, error) {
	if test.info.Dev.Bench != m.bench || tune.info.Dev.Bench != m.bench {
		return "", fmt.Errorf("the server found %d and %d instead of %d", test.info.Dev.Bench, tune.info.Dev.Bench,
			m.bench)
	}
	return fmt.Sprintf("%d, found in the messages of main and tune", m.bench), nil
}

// checkNetwork checks that the server lists the uploaded network and the worker has
// built an engine with it.
func checkNetwork(ctx context.Context, m *material, s *site) (string, error) {
	list, err := s.get(ctx, "/api/networks/"+engineName+"/")
	if err != nil {
		return "", err
	}
	if !bytes.Contains(list, []byte(`"`+m.network.sha()+`"`)) {
		return "", fmt.Errorf("the server does not list %s", m.network.sha())
	}
	engine := fmt.Sprintf("%s-%s-%s", engineName, strings.ToUpper(m.commit[:8]), m.network.sha())
	if _, err := os.Stat(filepath.Join(m.workerFolder(), "Engines", engine)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, uploaded, and built into %s", m.network.sha(), engine), nil
}

// checkData downloads the games of a data run and converts them to training data.
func checkData(ctx context.Context, m *material, s *site, w *workload) (string, error) {
	games, err := downloadGames(ctx, s, w)
	if err != nil {
		return "", err
	}
	if n := bytes.Count(games, []byte("[Result ")); n < dataGames {
		return "", fmt.Errorf("%d games, expected %d", n, dataGames)
	}
	pgn, positions := filepath.Join(m.folder, "games.pgn"), filepath.Join(m.folder, "games.txt")
	if err := os.WriteFile(pgn, games, 0o666); err != nil {
		return "", err
	}
	if err := os.RemoveAll(positions); err != nil {
		return "", err
	}
	convert := []string{"run", "./cmd/datagen", "convert", "-o", positions, pgn}
	if _, err := command(ctx, m.repositories["skein"], "go", convert...); err != nil {
		return "", err
	}
	text, err := os.ReadFile(positions)
	if err != nil {
		return "", err
	}
	lines := bytes.Count(text, []byte("\n"))
	if lines == 0 {
		return "", errors.New("no position with a score")
	}
	return fmt.Sprintf("%d games, converted to %d positions with scores", w.info.Games, lines), nil
}

// downloadGames downloads the archive of a workload and returns the games in it. The
// server puts the archive together within half a minute.
func downloadGames(ctx context.Context, s *site, w *workload) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	for {
		archive, err := s.get(ctx, fmt.Sprintf("/api/pgns/%d/", w.id))
		if err != nil {
			return nil, err
		}
		var answer struct{ Error string }
		if json.Unmarshal(archive, &answer) != nil {
			return extractGames(bytes.NewReader(archive))
		}
		select {
		case <-ctx.Done():
			return nil, errors.New(answer.Error)
		case <-time.After(5 * time.Second):
		}
	}
}

// extractGames returns the games of an archive of compressed PGN files.
func extractGames(archive io.Reader) ([]byte, error) {
	var games []byte
	for files := tar.NewReader(archive); ; {
		_, err := files.Next()
		if err == io.EOF {
			return games, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(bzip2.NewReader(files))
		if err != nil {
			return nil, err
		}
		games = append(append(games, text...), '\n')
	}
}

// checkTest checks that a test ended by its SPRT, without errors of the engines.
func checkTest(w *workload) (string, error) {
	i := w.info
	if i.Error || i.Passed == i.Failed {
		return "", fmt.Errorf("%+v", i)
	}
	verdict := map[bool]string{true: "passed", false: "failed"}[i.Passed]
	return fmt.Sprintf("%s after %s", verdict, i.score()), nil
}

// unknownOption is how fastchess says that an engine has no such option or refuses
// its value.
var unknownOption = regexp.MustCompile(`Warning; .* doesn't have option .*|Warning; Invalid value for option .*`)

// checkTune checks that the engines had all parameters as options and that their
// values have changed.
func checkTune(ctx context.Context, m *material, s *site, w *workload) (string, error) {
	log, err := os.ReadFile(filepath.Join(m.folder, "worker.log"))
	if err != nil {
		return "", err
	}
	if warning := unknownOption.Find(log); warning != nil {
		return "", errors.New(string(warning))
	}
	digest, err := s.get(ctx, fmt.Sprintf("/api/spsa/%d/digest/", w.id))
	if err != nil {
		return "", err
	}
	rows, err := csv.NewReader(bytes.NewReader(digest)).ReadAll()
	if err != nil {
		return "", err
	}
	lines := strings.Count(m.parameters, "\n") + 1
	if len(rows) != 1+lines {
		return "", fmt.Errorf("the server has %d parameters, the engine %d", len(rows)-1, lines)
	}
	changed := 0
	for _, row := range rows[1:] {
		name, value, start := row[0], row[1], row[2]
		if !bytes.Contains(log, []byte(" option."+name+"=")) {
			return "", fmt.Errorf("the worker did not set %s", name)
		}
		if value != start+".0000" {
			changed++
		}
	}
	if changed == 0 {
		return "", fmt.Errorf("no parameter has changed after %s", w.info.score())
	}
	return fmt.Sprintf("%d of %d parameters have changed after %s", changed, lines, w.info.score()), nil
}

// checkRefused checks that nobody asked the proxy for other addresses than those of
// GitHub that it answers for.
func checkRefused(h *hub) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.refused) > 0 {
		return "", fmt.Errorf("asked for %s", strings.Join(h.refused, ", "))
	}
	return "none", nil
}
