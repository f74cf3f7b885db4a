package contract_test

import (
	_ "schedsweep/sim/policy/lomarc"
	_ "schedsweep/sim/policy/timeslice"
)
