package metrics

import (
	"math"

	"schedsweep/sim"
)

func init() {
	const undefined = "The expectation is 0 under every policy, so it is a control variate for other metrics. It is defined for " +
		"workloads of the kind poisson without transforms of submissions, sizes and run times. It is undefined for short runs, and if a " +
		"policy adds jobs"
	Add(Kind{Place: 11, New: func() Observer { return &backlog{} }, Metrics: []sim.Metric{
		{Name: "backlog_excess", Doc: "mean backlog of one machine of such a speed that the jobs keep it busy .92 of the time, over its " +
			"expectation, less 1. " + undefined,
			Source: "Pollaczek 1930 and Khinchine 1932: the mean of M/G/1; Lavenberg and Welch 1981: control variates"},
		{Name: "home_backlog_excess", Doc: "the same of one such machine for the jobs of each home cluster, the mean of these. " + undefined,
			Source: "as backlog_excess"},
	}})
}

const (
	// busy is the load of the machines: parallel jobs leave processors idle, so that a cluster is about as near to saturation
	// at .75 (Jones et al. 2004) as a machine without gaps is at .92.
	busy = 0.92
	// settled is after how many relaxation times an empty machine counts as any: e^-8 of the beginning is left.
	settled = 8
	// spare is the number of standard deviations by which a stream may end earlier than expected.
	spare = 5
)

// backlog plays the jobs of Poisson streams on machines whose mean backlog is known.
type backlog struct {
	all   server
	homes []server
	left  int // jobs of the streams; below 0 where a policy registered more
}

// server is a machine that works off processor-seconds one after the other; a submission costs constant time.
type server struct {
	speed       float64 // processor-seconds a second
	expected    float64 // mean backlog, processor-seconds
	from, until float64 // the time over which means are taken
	level, at   float64 // backlog, and when it was that
	area        total   // processor-seconds times seconds
}

func newServer(streams []sim.PoissonStream) server {
	var work, square float64 // processor-seconds a second, and their squares
	s := server{until: math.Inf(1)}
	for _, p := range streams {
		work += p.Rate * p.Work
		square += p.Rate * p.Square
		s.until = min(s.until, (float64(p.Jobs)-spare*math.Sqrt(float64(p.Jobs)))/p.Rate)
	}
	s.speed = work / busy
	s.expected = square / (2 * s.speed * (1 - busy))
	// That of Brownian motion with this drift and variance, reflected at 0: 2 variance / drift^2.
	s.from = settled * 2 * square / (s.speed * s.speed) / ((1 - busy) * (1 - busy))
	return s
}

// advance goes on to a time, at which nothing has come yet.
func (s *server) advance(to float64) {
	begin, end := max(s.at, s.from), min(to, s.until, s.at+s.level/s.speed)
	if begin < end {
		s.area.Add((s.level - s.speed*((begin+end)/2-s.at)) * (end - begin))
	}
	s.level = max(0, s.level-s.speed*(to-s.at))
	s.at = to
}

func (s *server) submitted(now, work float64) {
	s.advance(now)
	s.level += work
}

// excess returns the excess of the backlog over its expectation, as a share; NaN of less than as long as it takes to settle.
func (s *server) excess() float64 {
	span := s.until - s.from
	if !(span >= s.from) {
		return math.NaN()
	}
	s.advance(max(s.at, s.until))
	return s.area.Value()/span/s.expected - 1
}

func (b *backlog) Reset(s Setting) {
	b.homes, b.left = b.homes[:0], 0
	for i := range s.Poisson {
		b.left += s.Poisson[i].Jobs
		b.homes = append(b.homes, newServer(s.Poisson[i:i+1]))
	}
	b.all = newServer(s.Poisson)
}

func (b *backlog) Submitted(_ *sim.View, j *sim.Job) {
	if len(b.homes) > 0 {
		b.submitted(j.Submit(), float64(j.Procs())*j.RunTime(), j.Home())
	}
}

// Beside plays a job that is not measured, which the machines work off all the same.
func (b *backlog) Beside(s *sim.View, j *sim.Job) { b.Submitted(s, j) }

func (b *backlog) submitted(now, work float64, home int32) {
	b.left--
	if int(home) < len(b.homes) && home >= 0 {
		b.all.submitted(now, work)
		b.homes[home].submitted(now, work)
	}
}

func (b *backlog) Ended(*sim.View, *sim.Job) {}

func (b *backlog) Values(dst []float64) []float64 {
	if len(b.homes) == 0 || b.left != 0 {
		return append(dst, math.NaN(), math.NaN())
	}
	var homes total
	for i := range b.homes {
		homes.Add(b.homes[i].excess())
	}
	return append(dst, b.all.excess(), homes.Value()/float64(len(b.homes)))
}
