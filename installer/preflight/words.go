package preflight

import (
	"fmt"
	"slices"
	"strings"
)

// list joins words for a sentence, the doubled ones once, and not too many.
func list(words []string) string {
	slices.Sort(words)
	words = slices.Compact(words)
	const most = 8
	if len(words) > most {
		return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
	}
	return strings.Join(words, ", ")
}

// cpu and memory as people write them.
func cpu(milli int64) string {
	if milli%1000 == 0 {
		return fmt.Sprintf("%d CPU", milli/1000)
	}
	return fmt.Sprintf("%.1f CPU", float64(milli)/1000)
}

func memory(bytes int64) string { return fmt.Sprintf("%.1f GB", float64(bytes)/1e9) }
