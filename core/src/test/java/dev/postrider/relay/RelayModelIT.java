package dev.postrider.relay;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Ten thousand random histories of the engine, short and long. */
class RelayModelIT {

    @Property(tries = 8_000, shrinking = ShrinkingMode.OFF)
    void keepsItsPromisesInShortHistories(@ForAll long seed) {
        new Simulation(seed).run(150);
    }

    @Property(tries = 2_000, shrinking = ShrinkingMode.OFF)
    void keepsItsPromisesInLongHistories(@ForAll long seed) {
        new Simulation(seed).run(1_000);
    }
}
