package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestDigest: 32 small hexadecimal digits are found by their bytes, and all other texts by a hash.
func TestDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.OneOf(rapid.StringMatching(`[0-9a-f]{32}`), rapid.StringMatching(`[0-9a-fA-Fg]{30,34}`), rapid.String()).Draw(t, "key")
		sum := sha256.Sum256([]byte(key))
		want := sum[:16]
		if bytes, err := hex.DecodeString(key); err == nil && len(bytes) == 16 && key == strings.ToLower(key) {
			want = bytes
		}
		if got := digest(key); string(got[:]) != string(want) {
			t.Fatalf("%q: %x, want %x", key, got, want)
		}
	})
}
