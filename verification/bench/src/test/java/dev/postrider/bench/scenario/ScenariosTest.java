package dev.postrider.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.bench.Scenario;
import org.junit.jupiter.api.Test;

class ScenariosTest {

    @Test
    void haveNamesOfTheirOwn() {
        assertThat(Scenarios.all()).extracting(Scenario::name).doesNotHaveDuplicates();
    }

    @Test
    void doNoMoreWhenQuick() {
        assertThat(Scenarios.all())
                .allSatisfy(
                        scenario -> assertThat(scenario.summary().quickSize().work())
                                .isLessThanOrEqualTo(scenario.summary().size().work()));
    }

    @Test
    void tellsTheOthersIfThereIsNoneOfThatName() {
        assertThatThrownBy(() -> Scenarios.named("drian")).hasMessageContainingAll("'drian'", "drain, grid, mixed");
    }
}
