package main

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"skein/internal/atomicfile"
	"skein/internal/plot"
	"skein/internal/train"
)

// writeLog writes the reports as a CSV file.
func writeLog(name string, history []train.Report) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{
		"superbatch", "positions", "rate", "result share", "training score loss", "training loss",
		"validation score loss", "validation loss", "positions per second",
	})
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 7, 64) }
	for _, r := range history {
		validation := []string{"", ""}
		if r.Validation != (train.Loss{}) { // there is validation data
			validation = []string{number(r.Validation.Score), number(r.Validation.Blended)}
		}
		w.Write([]string{
			strconv.Itoa(r.Superbatch), strconv.FormatInt(r.Positions, 10), number(r.Rate), number(r.ResultShare),
			number(r.Training.Score), number(r.Training.Blended), validation[0], validation[1],
			strconv.FormatFloat(r.PerSecond, 'f', 0, 64),
		})
	}
	w.Flush()
	return atomicfile.WriteFile(name, b.Bytes())
}

// curves returns an SVG chart of the losses.
func curves(name string, history []train.Report) []byte {
	c := plot.Chart{
		Title: name, XLabel: "superbatch", YLabel: "loss", LogY: true,
		Series: []plot.Series{{Name: "training"}, {Name: "validation"}, {Name: "validation, scores alone"}},
	}
	for _, r := range history {
		for i, loss := range []float64{r.Training.Blended, r.Validation.Blended, r.Validation.Score} {
			if loss > 0 { // without validation data it is zero
				s := &c.Series[i]
				s.X, s.Y = append(s.X, float64(r.Superbatch)), append(s.Y, loss)
			}
		}
	}
	return c.SVG()
}
