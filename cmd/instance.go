package cmd

import (
	"fmt"
	"strconv"
	"strings"

	"schedsweep/harness"
	"schedsweep/sweep"
)

// shownDigits is how much of an id is enough to name an instance to a person.
const shownDigits = 12

// nearIDs is how many instances a message names of those that were perhaps meant.
const nearIDs = 5

// findInstance reads a number in the plan, an id, or what only one id begins with.
func findInstance(st study, text string) (int, error) {
	number, err := strconv.Atoi(text)
	isNumber := err == nil && strconv.Itoa(number) == text
	if isNumber && len(text) < 6 || strings.HasPrefix(text, "-") {
		if number < 0 || number >= st.plan.Len() {
			return 0, misuse("instance %s: the plan has instances 0 to %d", text, st.plan.Len()-1)
		}
		return number, nil
	}
	if text == "" || strings.Trim(strings.ToLower(text), "0123456789abcdef") != "" || len(text) > 2*len(sweep.ID{}) {
		return 0, misuse("instance %q: give its number in the plan, its id (%d hexadecimal digits), or the first digits of it; %s lists them", text, 2*len(sweep.ID{}), st.command("plan", "--list"))
	}
	at := st.plan.Find(text, nearIDs+1)
	isNumber = isNumber && number < st.plan.Len()
	switch {
	case isNumber && len(at) == 0:
		return number, nil
	case isNumber:
		return 0, misuse("instance %s: this is the number of one and the beginning of another's id: write the whole id:%s", text, instances(st, append([]int{number}, at...)))
	case len(at) == 0:
		return 0, misuse("instance %s: no instance of the manifest has an id that begins so: plan --list lists them, and explain knows rows that the manifest has no more", text)
	case len(at) > 1:
		return 0, misuse("instance %s: several ids begin so; write more digits:%s", text, instances(st, at))
	}
	return at[0], nil
}

// instances are the ids and names of instances, a line each.
func instances(st study, at []int) string {
	var text strings.Builder
	var inst sweep.Instance
	for i, n := range at {
		if i == nearIDs {
			return text.String() + "\n    ..."
		}
		st.plan.At(n, &inst)
		fmt.Fprintf(&text, "\n    %s  %s", inst.ID, harness.Name(st.plan, &inst))
	}
	return text.String()
}
