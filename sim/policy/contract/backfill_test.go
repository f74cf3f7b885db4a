package contract_test

import _ "schedsweep/sim/policy/backfill"
