package sim

import "fmt"

// Counted returns a number and its noun for a message, such as 1 job or 2 jobs.
func Counted[N int | int32 | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}
