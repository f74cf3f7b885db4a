package contract

import (
	"reflect"
	"testing"

	"schedsweep/sim"
	_ "schedsweep/sim/progress"
)

// TestAllModels runs the suite for every registered progress model.
func TestAllModels(t *testing.T) {
	if len(sim.ProgressModels.Kinds()) == 0 {
		t.Fatal("no progress models are registered")
	}
	for _, k := range sim.ProgressModels.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			params := reflect.New(reflect.TypeOf(k.Params))
			params.Elem().Set(reflect.ValueOf(k.Params))
			testModel(t, k.Name, params.Interface(), k.New)
		})
	}
}
