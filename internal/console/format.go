package console

import (
	"fmt"
	"time"
)

// count formats a number in at most five columns: 999, 12.3k, 4.56M.
func count(n uint64) string {
	f := float64(n)
	for _, unit := range []string{"", "k", "M", "G", "T", "P"} {
		switch {
		case unit == "" && n < 1000:
			return fmt.Sprint(n)
		case f < 9.995:
			return fmt.Sprintf("%.2f%s", f, unit)
		case f < 99.95:
			return fmt.Sprintf("%.1f%s", f, unit)
		case f < 999.5:
			return fmt.Sprintf("%.0f%s", f, unit)
		}
		f /= 1000
	}
	return fmt.Sprintf("%.0fE", f)
}

// clock formats a duration: 0.35s, 12.3s, 4:05, 1:02:03.
func clock(d time.Duration) string {
	s := d.Seconds()
	switch {
	case s < 9.995:
		return fmt.Sprintf("%.2fs", s)
	case s < 59.95:
		return fmt.Sprintf("%.1fs", s)
	}
	n := int(s + 0.5)
	if n < 3600 {
		return fmt.Sprintf("%d:%02d", n/60, n%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", n/3600, n/60%60, n%60)
}
