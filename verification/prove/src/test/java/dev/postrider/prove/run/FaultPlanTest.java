package dev.postrider.prove.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.prove.Fault;
import dev.postrider.prove.run.FaultPlan.Step;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

    private static final Set<Fault> ALL = EnumSet.allOf(Fault.class);

    private static List<Step> steps(long seed, int count) {
        FaultPlan plan = new FaultPlan(ALL, seed);
        return Stream.generate(plan::next).limit(count).toList();
    }

    @Test
    void isTheSameForTheSameSeed() {
        assertThat(steps(42, 50)).isEqualTo(steps(42, 50));
    }

    @Test
    void differsForAnotherSeed() {
        assertThat(steps(42, 50)).isNotEqualTo(steps(43, 50));
    }

    @Test
    void makesEveryFaultOnceBeforeAnyTwice() {
        assertThat(steps(7, ALL.size())).extracting(Step::fault).containsExactlyInAnyOrderElementsOf(ALL);
    }
}
