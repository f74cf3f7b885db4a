package metrics

import (
	"schedsweep/sim"
	"schedsweep/sim/power"
)

func init() {
	const none = "; empty where platform.nodes have no power"
	Add(Kind{New: func() Observer { return &energy{} }, Metrics: []sim.Metric{
		{Name: "energy", Unit: "J", Sum: true, Doc: "energy of all nodes in measured_time: the sum of the energies of all states" + none,
			Better: sim.Lower},
		{Name: "busy_energy", Unit: "J", Sum: true, Doc: "energy of processors while jobs held them" + none},
		{Name: "idle_energy", Unit: "J", Sum: true, Doc: "energy of other processors of nodes that are on" + none, Better: sim.Lower},
		{Name: "down_energy", Unit: "J", Sum: true, Doc: "energy of nodes that events had put out of service (down)" + none},
		{Name: "off_energy", Unit: "J", Sum: true, Doc: "energy of nodes that are off" + none},
		{Name: "boot_energy", Unit: "J", Sum: true, Doc: "energy of nodes while they boot" + none, Better: sim.Lower},
		{Name: "shutdown_energy", Unit: "J", Sum: true, Doc: "energy of nodes while they shut down" + none, Better: sim.Lower},
		{Name: "mean_power", Unit: "W", Doc: "energy / measured_time" + none, Better: sim.Lower},
		{Name: "peak_power", Unit: "W", Doc: "largest power in measured_time" + none, Better: sim.Lower},
		{Name: "energy_per_core_hour", Unit: "J/h", Doc: "energy / core-hours that jobs held in measured_time, without those of " +
			"attempts that were lost (lost_work); a core is a processor" + none, Better: sim.Lower},
		{Name: "energy_delay_product", Unit: "J s", Sum: true, Doc: "energy * mean response time of measured jobs" + none, Better: sim.Lower},
	}})
	powered := func(s Setting) bool { return s.Platform.Powered() }
	Add(Kind{New: func() Observer { return &jobSum{known: powered, of: (*sim.Job).Energy} }, Metrics: []sim.Metric{
		{Name: "job_energy", Unit: "J", Sum: true, Doc: "energy that jobs took, in all attempts; empty where none ran, or where platform.nodes " +
			"have no power", Better: sim.Lower, OfJobs: true},
	}})
}

// energy reads the engine's meters where the measured time begins and ends.
type energy struct {
	*Extent
	powered bool
	power   float64 // since a time in seconds
	at      float64
	from    taken // where the measured time begins
	until   taken // and where it ends
	peak    float64
	lost    []attempt
	delay   total // response times in s
	jobs    float64
}

// attempt is one whose work is lost: its time in seconds, and its mean number of processors.
type attempt struct{ from, until, procs float64 }

// taken is the energy that a run has taken until a time.
type taken struct {
	power.Energy
	area, peak float64
}

func (e *energy) Reset(s Setting) {
	*e = energy{Extent: s.Extent, powered: s.Platform.Powered(), lost: e.lost[:0]}
}

func (e *energy) Idle() bool { return !e.powered }

// tick brings the peak up to date: power counts if it lasts.
func (e *energy) tick(s *sim.View) {
	if s.Now() > e.at {
		e.peak = max(e.peak, e.power)
	}
	e.power, e.at = s.Power(), s.Now()
}

func (e *energy) now(s *sim.View) taken {
	e.tick(s)
	return taken{s.Energy(), s.Area(), e.peak}
}

// Held notes an attempt that ends in vain, also of a job that is not measured.
func (e *energy) Held(s *sim.View, now, _ *sim.Hold) {
	e.tick(s)
	if j := now.Job; j != nil && !now.Any() && s.Now() > now.From &&
		(j.State() == sim.Waiting || j.State() == sim.Killed && j.Lost() == j.Area()) {
		e.lost = append(e.lost, attempt{now.From, s.Now(), j.Attempt() / (s.Now() - now.From)})
	}
}

func (e *energy) Begins(s *sim.View) {
	e.from = e.now(s)
	e.peak = 0
}

func (e *energy) Closes(s *sim.View) { e.until = e.now(s) }

func (e *energy) Ended(_ *sim.View, j *sim.Job) {
	e.delay.Add(j.Finish() - j.Submit())
	e.jobs++
}

func (e *energy) Values(dst []float64) []float64 {
	time := e.Measured()
	none := 0 * time
	d := power.Energy{Busy: e.until.Busy - e.from.Busy, Idle: e.until.Idle - e.from.Idle, Down: e.until.Down - e.from.Down,
		Off: e.until.Off - e.from.Off, Boot: e.until.Boot - e.from.Boot, Shutdown: e.until.Shutdown - e.from.Shutdown}
	all := d.Total()
	lost := total{}
	for _, a := range e.lost {
		lost.Add(a.procs * max(0, min(a.until, e.First+time)-max(a.from, e.First)))
	}
	hours := (e.until.area - e.from.area - lost.Value()) / 3600
	return append(dst, all+none, d.Busy+none, d.Idle+none, d.Down+none, d.Off+none, d.Boot+none, d.Shutdown+none,
		all/time, e.until.peak+none, all/hours+none, all*e.delay.Value()/e.jobs+none)
}
