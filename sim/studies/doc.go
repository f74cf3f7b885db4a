// Package studies registers the policies, progress models, platforms, workloads and
// transforms of workloads that each serve one published study. A study's packages are in a folder of its name.
package studies

import (
	_ "schedsweep/sim/studies/blanco2012/bsp"
	_ "schedsweep/sim/studies/blanco2012/messages"
	_ "schedsweep/sim/studies/blanco2012/multicluster"
	_ "schedsweep/sim/studies/blanco2012/oas"
	_ "schedsweep/sim/studies/blanco2012/saturation"
	_ "schedsweep/sim/studies/dutot2015/griffon"
	_ "schedsweep/sim/studies/dutot2015/ptask"
	_ "schedsweep/sim/studies/jones2004/coallocation"
	_ "schedsweep/sim/studies/jones2004/communication"
	_ "schedsweep/sim/studies/jones2004/minigrid"
	_ "schedsweep/sim/studies/sodan2003/crosssite"
	_ "schedsweep/sim/studies/sodan2003/scojo"
	_ "schedsweep/sim/studies/sodan2003/shares"
	_ "schedsweep/sim/studies/zeng2009/coscheduling"
	_ "schedsweep/sim/studies/zeng2009/lomarc"
	_ "schedsweep/sim/studies/zeng2009/slowdowns"
	_ "schedsweep/sim/studies/zeng2009/timeslice"
)
