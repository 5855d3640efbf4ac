package dev.postrider.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {

    @Test
    void knowsProcessorAndMemory() {
        Machine machine = Machine.here("postrider 1");
        assertThat(machine.cpu()).isNotBlank();
        assertThat(machine.processors()).isPositive();
        assertThat(machine.memoryMegabytes()).isPositive();
    }
}
