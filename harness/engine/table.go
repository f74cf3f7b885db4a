package engine

// facts are the ways in which one engine describes a process to itself. The strings are names of
// environment variables, or of attributes where the engine has a job ad; "" where it does not tell.
type facts struct {
	id, name string
	// here is the variable that shows the engine, index the one that numbers its
	// tasks; none is its value where there is only one.
	here, index, none string
	// step is the distance of two tasks, and count is the number of all of them.
	first, last, step, count string
	// usual is the first index where nothing else says so.
	usual int
	// threads are tried in their order; the number begins the value.
	threads []string
	// single reports that a task has one processor where no variable tells more.
	single bool
	// deadline is in seconds since 1970.
	deadline string
	// ask is a command that tells the deadline; see [TimeLeft].
	ask []string
	// attempt counts the starts of the task, errorFile is a file for the
	// reason of a failure, ad is the file of the job ad.
	attempt, errorFile, ad string
	// ids name the job in the engine's books.
	ids []string
}

// engines are the known ones, in the order in which they are nested: a later one is started by an earlier one.
var engines = []facts{
	{id: "aws-batch", name: "AWS Batch", here: "AWS_BATCH_JOB_ID", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE",
		attempt: "AWS_BATCH_JOB_ATTEMPT", ids: []string{"AWS_BATCH_JOB_ID", "AWS_BATCH_JQ_NAME"}},
	{id: "kubernetes", name: "Kubernetes", here: "JOB_COMPLETION_INDEX", index: "JOB_COMPLETION_INDEX", ids: []string{"HOSTNAME"}},
	{id: "htcondor", name: "HTCondor", here: "_CONDOR_JOB_AD", ad: "_CONDOR_JOB_AD", index: "ProcId", count: "TotalSubmitProcs",
		threads: []string{"CpusProvisioned", "RequestCpus"}, attempt: "NumShadowStarts", ids: []string{"ClusterId", "GlobalJobId"}},
	{id: "sge", name: "SGE", here: "SGE_TASK_ID", index: "SGE_TASK_ID", none: "undefined", first: "SGE_TASK_FIRST", last: "SGE_TASK_LAST",
		step: "SGE_TASK_STEPSIZE", usual: 1,
		threads: []string{"NSLOTS"}, attempt: "RESTARTED", ids: []string{"JOB_ID"}},
	{id: "pbs", name: "PBS", here: "PBS_JOBID", index: "PBS_ARRAY_INDEX", threads: []string{"NCPUS"},
		ids: []string{"PBS_JOBID", "PBS_ARRAY_ID"}},
	{id: "torque", name: "TORQUE", here: "PBS_ARRAYID", index: "PBS_ARRAYID", threads: []string{"PBS_NUM_PPN"}, ids: []string{"PBS_JOBID"}},
	{id: "lsf", name: "LSF", here: "LSB_JOBID", index: "LSB_JOBINDEX", none: "0", last: "LSB_JOBINDEX_END", step: "LSB_JOBINDEX_STEP",
		usual:   1,
		threads: []string{"LSB_DJOB_NUMPROC"}, ids: []string{"LSB_JOBID"}},
	{id: "slurm", name: "Slurm", here: "SLURM_JOB_ID", index: "SLURM_ARRAY_TASK_ID",
		first: "SLURM_ARRAY_TASK_MIN", last: "SLURM_ARRAY_TASK_MAX", step: "SLURM_ARRAY_TASK_STEP", count: "SLURM_ARRAY_TASK_COUNT",
		threads: []string{"SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"}, attempt: "SLURM_RESTART_COUNT",
		deadline: "SLURM_JOB_END_TIME", ask: []string{"env", "SLURM_TIME_FORMAT=%s", "scontrol", "show", "job", "-o"},
		ids: []string{"SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID", "SLURM_CLUSTER_NAME"}},
	// A batch script has SLURM_PROCID, and with --ntasks SLURM_NTASKS too; only a step is a task of several.
	{id: "srun", name: "srun", here: "SLURM_STEP_ID", index: "SLURM_PROCID", count: "SLURM_STEP_NUM_TASKS",
		threads: []string{"SLURM_CPUS_PER_TASK"}, single: true, ids: []string{"SLURM_STEP_ID"}},
	{id: "flux", name: "Flux", here: "FLUX_JOB_ID", index: "FLUX_TASK_RANK", count: "FLUX_JOB_SIZE", ids: []string{"FLUX_JOB_ID"}},
	{id: "flux-cc", name: "Flux --cc", here: "FLUX_JOB_CC", index: "FLUX_JOB_CC"},
	{id: "hyperqueue", name: "HyperQueue", here: "HQ_TASK_ID", index: "HQ_TASK_ID", threads: []string{"HQ_RESOURCE_REQUEST_cpus"},
		attempt: "HQ_INSTANCE_ID", errorFile: "HQ_ERROR_FILENAME", ids: []string{"HQ_JOB_ID", "HQ_TASK_ID"}},
	{id: "parallel", name: "GNU parallel", here: "PARALLEL_SEQ", index: "PARALLEL_SEQ", usual: 1, single: true, ids: []string{"PARALLEL_PID"}},
}
