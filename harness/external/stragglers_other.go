//go:build !linux

package external

// killStragglers does nothing here: there is no /proc to find children in that have sessions of their own.
func killStragglers(int, string) {}
