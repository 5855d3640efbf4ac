package dev.postrider.service.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.service.doctor.Questions.Row;
import dev.postrider.spi.Finding;
import dev.postrider.spi.Finding.Severity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** On texts as TiDB gives them. */
class TidbCheckTest {

    private static final String GOOD =
            "CREATE TABLE `outbox` (...) ENGINE=InnoDB /*T![auto_id_cache] AUTO_ID_CACHE=1 */";
    private static final int MIB = 1 << 20;

    private static List<Finding> findings(Map<String, String> variables, String createTable, int maxPayload) {
        return TidbCheck.findings(new Row(variables), createTable, maxPayload, true);
    }

    @Test
    void findsNothingWhereAllIsWell() {
        assertThat(findings(Map.of("tidb_txn_mode", "pessimistic"), GOOD, MIB)).isEmpty();
    }

    @Test
    void namesTheMissingPrivilege() {
        assertThat(TidbCheck.findings(new Row(Map.of()), GOOD, MIB, false))
                .extracting(Finding::what)
                .anyMatch(what -> what.contains("PROCESS"));
    }

    @Test
    void namesNumbersThatAreDrawnInManyPlaces() {
        assertThat(findings(Map.of(), GOOD.replace("=1 ", "=100 "), MIB))
                .extracting(Finding::what)
                .anyMatch(what -> what.contains("AUTO_ID_CACHE 1"));
    }

    @Test
    void namesTransactionsThatAreTriedAgainUnderALaterStart() {
        assertThat(findings(Map.of("tidb_disable_txn_auto_retry", "OFF"), GOOD, MIB))
                .extracting(Finding::what)
                .containsExactly("tidb_disable_txn_auto_retry is OFF");
    }

    @Test
    void namesOptimisticTransactionsAndRowsThatAreTooLarge() {
        assertThat(findings(Map.of("tidb_txn_mode", "optimistic"), GOOD, 7 * MIB))
                .extracting(Finding::severity)
                .containsExactly(Severity.ERROR, Severity.WARNING);
    }
}
