package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RelayNameTest {

    @Test
    void namesHostAndProcessAndThenAnId() {
        assertThat(RelayName.next())
                .matches("[^/]{1,40}/" + ProcessHandle.current().pid() + "/[0-9a-f]{12}");
    }

    @Test
    void isNeverGivenTwice() {
        assertThat(RelayName.next()).isNotEqualTo(RelayName.next());
    }
}
