package dev.postrider.prove.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.prove.Fault;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Servers of the user's own; no starter is on the class path here. */
class ProofSiteTest {

    private static ProofSite site() {
        return ProofSite.open("jdbc:postgresql://db/app", UnaryOperator.identity(), "kafka://broker:9092");
    }

    @Test
    void refusesToStopServersOfTheUser() {
        try (ProofSite site = site()) {
            assertThat(site.refusal(Fault.OUTAGE))
                    .hasValueSatisfying(reason -> assertThat(reason).contains("'outage'", "not ours"));
            assertThat(site.refusal(Fault.DB_RESTART)).isPresent();
            assertThat(site.refusal(Fault.KILL)).isEmpty();
        }
    }

    @Test
    void cutsNoWayToAKafkaThatLeadsItsClientsElsewhere() {
        try (ProofSite site = site()) {
            assertThat(site.linkToBroker()).isEmpty();
        }
    }

    @Test
    void saysThatTheProgramStartsNoServers() {
        assertThatThrownBy(() -> ProofSite.open("postgres", UnaryOperator.identity(), "kafka"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("This program starts none, give an address such as jdbc:postgresql://");
    }

    @Test
    void leadsARelayThroughAProxyWhateverTheAddressLeavesOut() {
        try (ProofSite site = ProofSite.open(
                        "jdbc:postgresql://127.0.0.1/app?sslmode=disable",
                        UnaryOperator.identity(),
                        "nats://127.0.0.1:4222");
                DatabaseLink link = DatabaseLink.to(site.database())) {
            assertThat(link.url())
                    .isEqualTo("jdbc:postgresql://127.0.0.1:" + link.proxy().port() + "/app?sslmode=disable");
        }
    }

    @Test
    void refusesAnAddressOfSeveralServers() {
        try (ProofSite site =
                ProofSite.open("jdbc:postgresql://a,b/app", UnaryOperator.identity(), "nats://127.0.0.1:4222")) {
            assertThatThrownBy(() -> DatabaseLink.to(site.database())).hasMessageContaining("names no single server");
        }
    }
}
