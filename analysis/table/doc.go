// Package table lays rows of texts and numbers out as aligned text for a terminal, as CSV with full precision, and as
// Markdown. It computes nothing.
package table
