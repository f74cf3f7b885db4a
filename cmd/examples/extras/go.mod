module example.org/extras

go 1.26.0

require schedsweep v0.0.0

replace schedsweep => ../../..
