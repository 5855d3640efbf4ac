package dev.postrider.relay;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Random histories of the engine; {@link RelayModelIT} runs many more. A failure is replayed by its seed. */
class RelayModelTest {

    @Property(tries = 500, shrinking = ShrinkingMode.OFF)
    void keepsItsPromisesInRandomHistories(@ForAll long seed) {
        new Simulation(seed).run(400);
    }
}
