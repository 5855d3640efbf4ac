package dev.postrider.prove.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.prove.Fault;
import dev.postrider.prove.ProofException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProofSettingsTest {

    private static ProofSettings settings(String name, int seconds, int relays, Fault... faults) {
        return new ProofSettings(
                name,
                Duration.ofSeconds(seconds),
                relays,
                Set.of(faults),
                1,
                false,
                Optional.empty(),
                ProofSettings.USUAL_PATIENCE);
    }

    @Test
    void takesReasonableSettings() {
        assertThat(settings("prove_12ab", 60, 3, Fault.values()).faults()).hasSize(5);
    }

    @Test
    void refusesANameThatWouldNeedQuotes() {
        assertThatThrownBy(() -> settings("prove\"; DROP TABLE x", 60, 3))
                .isInstanceOf(ProofException.class)
                .hasMessageContaining("is none for tables");
    }

    @Test
    void refusesATimeInWhichNothingCanHappen() {
        assertThatThrownBy(() -> settings("p", 4, 3)).hasMessage("A proof takes at least 5 seconds, not 4");
    }

    @Test
    void refusesTooFewAndTooManyRelays() {
        assertThatThrownBy(() -> settings("p", 60, 0)).hasMessageContaining("1 to 16 relays, not 0");
        assertThatThrownBy(() -> settings("p", 60, 17)).hasMessageContaining("1 to 16 relays, not 17");
    }

    @Test
    void refusesToStopTheOnlyRelay() {
        assertThatThrownBy(() -> settings("p", 60, 1, Fault.STOP)).hasMessageContaining("ask for 2 relays");
    }

    @Test
    void namesTheKnownFaultsWhenOneIsUnknown() {
        assertThatThrownBy(() -> Fault.of("flood"))
                .hasMessage("There is no fault 'flood'; known are kill, stop, outage, cut, db-restart");
    }
}
