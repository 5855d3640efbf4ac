package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.relay.Promises.Happening;
import dev.postrider.relay.SimulatedBroker.Flaw;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Random histories of the engine; {@link RelayModelIT} runs many more. A failure is replayed by its seed. */
class RelayModelTest {

    private static final int HISTORIES = 300;

    @Property(tries = 500, shrinking = ShrinkingMode.OFF)
    void keepsItsPromisesInRandomHistories(@ForAll long seed) {
        new Simulation(seed).run(400);
    }

    /** Otherwise the histories would prove nothing about destinations that keep an order. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void findsADestinationThatBreaksItsPromise(Flaw flaw) {
        assertThat(LongStream.range(0, HISTORIES).anyMatch(seed -> breaks(seed, flaw)))
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

    /** Each in several histories, or they would prove nothing about it. */
    @Test
    void disturbsKeysThatHaveSeveralMessagesInFlight() {
        Map<Happening, Long> histories = LongStream.range(0, HISTORIES)
                .mapToObj(Simulation::new)
                .peek(simulation -> simulation.run(400))
                .flatMap(simulation -> simulation.happenings().stream())
                .collect(Collectors.groupingBy(happening -> happening, Collectors.counting()));

        assertThat(histories).containsOnlyKeys(Happening.values());
        assertThat(histories.values()).allMatch(count -> count >= 2);
    }
}
