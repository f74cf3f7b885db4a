package sim

// Message is a report of a policy on its own actions, such as a query from one site to another.
// Observers hear it; it changes nothing.
type Message struct {
	// Name is its kind, such as RoughLoadQuery.
	Name string
	// From and To are the clusters between which it goes, -1 for none.
	From, To int
	// Job is the job that it is about, one that is in the system; nil for none.
	Job *Job
	// Fields are the further fields of the message.
	Fields []Field
}

// Field is a named value: an int, int32, int64, float64, bool or string.
type Field struct {
	Name  string
	Value any
}

// messageObserver is implemented by an observer that also wants to hear what
// policies report.
type messageObserver interface {
	// Reported tells of a message, which is valid during the call only.
	Reported(s *View, m *Message)
}

// Listening reports whether an observer hears messages, so that none is put together in vain. Nothing else may be
// decided by it.
func (s *State) Listening() bool { return len(s.listeners) > 0 }

// Report passes m to the observer, if there is one.
func (s *State) Report(m Message) {
	for _, o := range s.listeners {
		o.Reported(&s.view, &m)
	}
}
