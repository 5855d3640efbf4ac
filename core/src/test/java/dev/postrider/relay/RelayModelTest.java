package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.SimulatedBroker.Flaw;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Random histories of the engine; {@link RelayModelIT} runs many more. A failure is replayed by its seed. */
class RelayModelTest {

    @Property(tries = 500, shrinking = ShrinkingMode.OFF)
    void keepsItsPromisesInRandomHistories(@ForAll long seed) {
        new Simulation(seed).run(400);
    }

    /** Otherwise the histories would prove nothing about destinations that keep an order. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void findsADestinationThatBreaksItsPromise(Flaw flaw) {
        assertThat(LongStream.range(0, 200).anyMatch(seed -> breaks(seed, flaw)))
                .isTrue();
    }

    private static boolean breaks(long seed, Flaw flaw) {
        try {
            new Simulation(seed, flaw).run(400);
            return false;
        } catch (AssertionError broken) {
            return true;
        }
    }
}
