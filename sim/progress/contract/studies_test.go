package contract

import _ "schedsweep/sim/studies"
