package multifactor

// Weights are the most points that each factor gives.
type Weights struct {
	Age         float64 `sweep:"age" min:"0" finite:"yes" doc:"points of a job that has waited for max_age"`
	FairShare   float64 `sweep:"fair_share" min:"0" finite:"yes" doc:"points of the user with the least used share, by the fair tree"`
	Size        float64 `sweep:"size" min:"0" finite:"yes" doc:"points of a job that requests all nodes and all processors; each gives half of them, and a job that requests no nodes counts one"`
	Partition   float64 `sweep:"partition" min:"0" finite:"yes" doc:"points of a job in the partition with the largest priority"`
	QOS         float64 `sweep:"qos" min:"0" finite:"yes" doc:"points of a job with the quality of service of the largest priority"`
	Association float64 `sweep:"association" min:"0" finite:"yes" doc:"points of a user whose association has the largest priority"`
	CPUs        float64 `sweep:"cpus" min:"0" finite:"yes" doc:"points of a job of all processors of its partition (Slurm's TRES cpu)"`
	Memory      float64 `sweep:"memory" min:"0" finite:"yes" doc:"points of a job that requests all memory of its partition (Slurm's TRES mem)"`
	GPUs        float64 `sweep:"gpus" min:"0" finite:"yes" doc:"points of a job that requests all GPUs of its partition (Slurm's TRES gres/gpu)"`
}

// Factors are the factors of a job's priority, each in [0, 1] but for Nice, and for amounts of CPUs, memory and GPUs.
type Factors struct {
	Age, FairShare, Size, Partition, QOS, Association, CPUs, Memory, GPUs float64
	// Nice is the number of points that the job's user gives away.
	Nice float64
}

// Points is the priority of a job, the largest first. Slurm cuts it to a whole number.
func (w *Weights) Points(f *Factors) float64 {
	return w.Age*f.Age + w.FairShare*f.FairShare + w.Size*f.Size + w.Partition*f.Partition + w.QOS*f.QOS + w.Association*f.Association +
		w.CPUs*f.CPUs + w.Memory*f.Memory + w.GPUs*f.GPUs - f.Nice
}

// Age is the factor of a job by its wait in seconds at the time of calculation.
func Age(waited, most float64) float64 { return min(max(waited, 0)/most, 1) }

// Size is the factor of a job by its requested number of all nodes, 1 where it has none, and of all processors.
func Size(nodes, allNodes, procs, allProcs float64) float64 {
	return (nodes/allNodes + procs/allProcs) / 2
}

// Part is the factor of a priority relative to the largest one, and of a request relative to the whole. It is 0 where
// there is nothing.
func Part(own, largest float64) float64 {
	if !(largest > 0) {
		return 0
	}
	return min(own/largest, 1)
}
