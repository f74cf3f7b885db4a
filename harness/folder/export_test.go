package folder

// WriteBy has files written by a function that gets how they are written and with what.
func (f *Folder) WriteBy(by func(path string, write func() error, content []byte) error) {
	f.write = func(path string, content []byte) error {
		return by(path, func() error { return replaceFile(path, content) }, content)
	}
}
