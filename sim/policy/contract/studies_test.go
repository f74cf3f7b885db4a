package contract_test

import _ "schedsweep/sim/studies"
