package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A question that takes more than this many bytes ends the program, so that a runaway does not take the machine with it.
const memoryLimit = 2 << 30

// allocated counts the bytes that were ever taken.
func allocated() uint64 {
	taken := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(taken)
	return taken[0].Value.Uint64()
}

// giveUpBeyond ends the program when one question took more than the limit, however fast it was over.
func giveUpBeyond(before uint64) {
	if taken := allocated() - before; taken > memoryLimit {
		fmt.Fprintf(os.Stderr, "oracle: one question took %d MiB, giving up\n", taken>>20)
		os.Exit(1)
	}
}

// limitMemory collects harder from half the limit on, and watches. Setting a limit of the system would be harder still, but
// counts what Go only reserves, and not every system has one.
func limitMemory() {
	debug.SetMemoryLimit(memoryLimit / 2)
	used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	go func() {
		for range time.Tick(20 * time.Millisecond) {
			metrics.Read(used)
			if sum := used[0].Value.Uint64() + used[1].Value.Uint64(); sum > memoryLimit {
				fmt.Fprintf(os.Stderr, "oracle: %d MiB in use, giving up\n", sum>>20)
				os.Exit(1)
			}
		}
	}()
}
