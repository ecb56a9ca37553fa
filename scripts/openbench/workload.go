//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Settings of the workloads: enough games to see that each of them works.
const (
	nodes        = "N=1500"         // per move
	workloadSize = 4                // 32 games of the test between two requests for work
	dataGames    = 16               // of the data run
	ignored      = "plies=9"        // argument for genfens, which Skein ignores
	bounds       = "[0.00, 100.00]" // of the SPRT, in normalized Elo: decided after some ten pairs
	iterations   = 12               // of the tune
	pairs        = 2                // of games in an iteration
)

// workload is something that OpenBench has the worker do.
type workload struct {
	name string // what it is
	kind string // test, tune or datagen, as in addresses
	id   int
	info info // what the server said last
}

// info is a part of what the server tells of a workload.
type info struct {
	Games                           int
	Tri                             [3]int // losses, draws, wins
	Passed, Failed, Finished, Error bool
	Dev                             struct{ Bench int }
}

// score returns the games as wins, losses and draws.
func (i *info) score() string {
	return fmt.Sprintf("%d games: %d-%d-%d", i.Games, i.Tri[2], i.Tri[0], i.Tri[1])
}

// createWorkloads fills in the forms, with presets of the engine's file. The worker
// begins with the first one.
func createWorkloads(ctx context.Context, s *site, m *material) ([]*workload, error) {
	text, err := os.ReadFile(filepath.Join(m.repositories["skein"], "scripts", "openbench", engineName+".json"))
	if err != nil {
		return nil, err
	}
	var engine engineFile
	if err := json.Unmarshal(text, &engine); err != nil {
		return nil, err
	}
	list := []*workload{
		{name: "data run", kind: "datagen"}, {name: "test", kind: "test"}, {name: "SPSA tune", kind: "tune"},
	}
	forms := []url.Values{dataForm(), testForm(m), tuneForm(m)}
	for i, w := range list {
		w.id = i + 1 // the database is new
		form := forms[i]
		for key, value := range engine.TestPresets["default"] {
			if form.Get(key) == "" {
				form.Set(key, fmt.Sprint(value))
			}
		}
		form.Set("scale_nps", strconv.Itoa(engine.NPS))
		form.Set("priority", strconv.Itoa(len(list)-i))
		if err := s.post(ctx, "/"+w.kind+"/new/", form); err != nil {
			return nil, err
		}
		if err := w.update(ctx, s); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// commonForm returns the entries that all forms share: the engine of a branch
// against the one of branch main. The server finds the bench signatures itself.
func commonForm(branch string) url.Values {
	form := url.Values{
		"info": {""}, "book_name": {bookName}, "upload_pgns": {"FALSE"}, "throughput": {"1000"},
		"workload_size": {strconv.Itoa(workloadSize)}, "syzygy_wdl": {"DISABLED"}, "syzygy_adj": {"DISABLED"},
		"scale_method": {"BASE"},
	}
	for side, name := range map[string]string{"dev": branch, "base": "main"} {
		for key, value := range map[string]string{"engine": engineName, "repo": skeinURL, "branch": name,
			"bench": "Autofill", "network": "", "options": "Threads=1 Hash=8", "time_control": nodes} {
			form.Set(side+"_"+key, value)
		}
	}
	return form
}

// dataForm asks for games from openings of the engine itself.
func dataForm() url.Values {
	form := commonForm("main")
	form.Set("book_name", "NONE")
	form.Set("upload_pgns", "COMPACT")
	form.Set("datagen_max_games", strconv.Itoa(dataGames))
	form.Set("datagen_custom_genfens", ignored)
	form.Set("datagen_play_reverses", "NO")
	form.Set("win_adj", "None")
	form.Set("draw_adj", "None")
	return form
}

// testForm asks for an SPRT against the engine with the uploaded network.
func testForm(m *material) url.Values {
	form := commonForm("main")
	form.Set("test_mode", "SPRT")
	form.Set("test_bounds", bounds)
	form.Set("base_network", m.network.sha())
	form.Set("base_bench", strconv.Itoa(m.network.bench))
	return form
}

// tuneForm asks for a tune of all parameters, as the engine writes them.
func tuneForm(m *material) url.Values {
	form := commonForm("tune")
	for key, value := range map[string]string{
		"spsa_inputs": m.parameters, "spsa_reporting_type": "BATCHED", "spsa_distribution_type": "SINGLE",
		"spsa_alpha": "0.602", "spsa_gamma": "0.101", "spsa_A_ratio": "0.1",
		"spsa_iterations": strconv.Itoa(iterations), "spsa_pairs_per": strconv.Itoa(pairs),
	} {
		form.Set(key, value)
	}
	return form
}

// update asks the server for the state of the workload.
func (w *workload) update(ctx context.Context, s *site) error {
	var answer struct{ Info info }
	if err := s.object(ctx, fmt.Sprintf("/api/workload/%d/info/", w.id), &answer); err != nil {
		return err
	}
	w.info = answer.Info
	return nil
}

// await waits for the end of the workload.
func (w *workload) await(ctx context.Context, s *site, worker *service, out io.Writer) error {
	fmt.Fprintf(out, "%s: %s/%s/%d/\n", w.name, s.address, w.kind, w.id)
	for games := 0; !w.info.Finished; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Second):
		}
		if err := worker.failure(); err != nil {
			return err
		}
		if err := w.update(ctx, s); err != nil {
			return err
		}
		if w.info.Games > games {
			games = w.info.Games
			fmt.Fprintf(out, "  %d games\n", games)
		}
	}
	return nil
}
