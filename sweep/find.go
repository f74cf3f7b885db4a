package sweep

import (
	"encoding/hex"
	"strings"
)

// Find returns the positions of the instances whose id begins with the hexadecimal
// digits, the first most of them. It looks at every instance.
func (p *Plan) Find(digits string, most int) (at []int) {
	digits = strings.ToLower(digits)
	var id [2 * len(ID{})]byte
	for i, inst := range p.All() {
		hex.Encode(id[:], inst.ID[:])
		if len(digits) <= len(id) && string(id[:len(digits)]) == digits {
			if at = append(at, i); len(at) == most {
				break
			}
		}
	}
	return at
}
