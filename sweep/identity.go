package sweep

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"schedsweep/sweep/params"
)

// ID names an instance by content: it is a hash of everything that can change
// the instance's answer, and of nothing else.
type ID [16]byte

// String returns the id as 32 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// ParseID reads an id of 32 hexadecimal digits.
func ParseID(s string) (ID, error) {
	var id ID
	if len(s) != 2*len(id) {
		return id, fmt.Errorf("id %q has %d characters; want %d hexadecimal digits", s, len(s), 2*len(id))
	}
	if _, err := hex.Decode(id[:], []byte(s)); err != nil {
		return id, fmt.Errorf("id %q: %w", s, err)
	}
	return id, nil
}

// instanceID hashes an instance: the encoding's tag, the simulator's version,
// the master seed, the replication, and the hash of every section. The sections
// are hashed once each, so that an instance costs a few hundred bytes of
// SHA-256 however many parameters it has.
func instanceID(version int, seed uint64, replication int, sections []*params.Resolved) ID {
	var buf [64 + 32*params.MaxSections]byte
	b := append(buf[:0], "schedsweep/instance/1\n"...)
	b = binary.BigEndian.AppendUint64(b, uint64(version))
	b = binary.BigEndian.AppendUint64(b, seed)
	b = binary.BigEndian.AppendUint64(b, uint64(replication))
	for _, s := range sections {
		b = append(b, s.Hash[:]...)
	}
	sum := sha256.Sum256(b)
	return ID(sum[:16])
}

// workloadKey hashes what decides a generated workload: the section, the master
// seed and the replication. Policy, platform and progress are not in it, and
// neither is the simulator's version.
func workloadKey(seed uint64, replication int, workload *params.Resolved) [32]byte {
	var buf [96]byte
	b := append(buf[:0], "schedsweep/workload/1\n"...)
	b = binary.BigEndian.AppendUint64(b, seed)
	b = binary.BigEndian.AppendUint64(b, uint64(replication))
	if workload != nil {
		b = append(b, workload.Hash[:]...)
	}
	return sha256.Sum256(b)
}
