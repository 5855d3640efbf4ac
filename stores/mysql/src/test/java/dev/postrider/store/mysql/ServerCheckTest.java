package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.MessageLimits;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServerCheckTest {

    private static final ServerVersion MYSQL = ServerVersion.parse("8.4.0");

    @Test
    void acceptsAnOrdinaryServer() {
        assertThatCode(() -> check(Map.of(
                        "auto_increment_increment", "1",
                        "log_bin", "ON",
                        "binlog_format", "ROW",
                        "max_allowed_packet", "67108864")))
                .doesNotThrowAnyException();
    }

    @Test
    void refusesAnOldServer() {
        assertThatThrownBy(() -> new ServerCheck(new ServerFacts(ServerVersion.parse("8.0.16"), Map.of()))
                        .check(ScanMode.AUTO, MessageLimits.defaults()))
                .isInstanceOf(UnsupportedServerException.class)
                .hasMessageContaining("MySQL 8.0.16")
                .hasMessageContaining("8.0.17");
    }

    @Test
    void refusesGalera() {
        assertThatThrownBy(() -> check(Map.of("wsrep_on", "ON", "wsrep_cluster_address", "gcomm://a,b")))
                .hasMessageContaining("Galera")
                .hasMessageContaining("SINGLE_WRITER")
                .hasMessageContaining("Ordering.NONE");
    }

    @Test
    void refusesGroupReplicationWithSeveralPrimaries() {
        Map<String, String> group =
                Map.of("group_replication_group_name", "4f0e", "group_replication_single_primary_mode", "OFF");

        assertThatThrownBy(() -> check(group)).hasMessageContaining("several primaries");
    }

    @Test
    void acceptsGroupReplicationWithOnePrimary() {
        Map<String, String> group =
                Map.of("group_replication_group_name", "4f0e", "group_replication_single_primary_mode", "ON");

        assertThatCode(() -> check(group)).doesNotThrowAnyException();
    }

    @Test
    void refusesVitess() {
        assertThatThrownBy(() -> check(Map.of("version", "8.0.34-PlanetScale"))).hasMessageContaining("Vitess");
        assertThatThrownBy(() -> check(Map.of("version", "8.0.40-Vitess"))).hasMessageContaining("SINGLE_WRITER");
    }

    @Test
    void refusesNumbersDrawnInSteps() {
        assertThatThrownBy(() -> check(Map.of("auto_increment_increment", "2")))
                .hasMessageContaining("auto_increment_increment is 2");
    }

    @ParameterizedTest
    @EnumSource(names = "AUTO", mode = EnumSource.Mode.EXCLUDE)
    void acceptsAClusterWhenTheUserSaysHowItIsUsed(ScanMode mode) {
        ServerFacts galera = new ServerFacts(MYSQL, Map.of("wsrep_on", "ON", "wsrep_cluster_address", "gcomm://a,b"));

        assertThatCode(() -> new ServerCheck(galera).check(mode, MessageLimits.defaults()))
                .doesNotThrowAnyException();
    }

    @Test
    void refusesToLogStatements() {
        assertThatThrownBy(() -> check(Map.of("log_bin", "ON", "binlog_format", "STATEMENT")))
                .hasMessageContaining("ROW or MIXED");
    }

    @Test
    void refusesMessagesThatDoNotFitIntoAPacket() {
        assertThatThrownBy(() -> check(Map.of("max_allowed_packet", "1048576")))
                .hasMessageContaining("max_allowed_packet is 1048576")
                .hasMessageContaining("MessageLimits");
    }

    private static void check(Map<String, String> variables) {
        new ServerCheck(new ServerFacts(MYSQL, variables)).check(ScanMode.AUTO, MessageLimits.defaults());
    }
}
