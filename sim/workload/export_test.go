package workload

// What tests of the laws behind the jobs need to see.
var (
	DailyCycle        = dailyCycle
	LublinTypeless    = lublinTypeless
	LublinBatch       = lublinBatch
	LublinInteractive = lublinInteractive
)
