package dev.postrider.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.examples.owndestination.OwnDestination;
import dev.postrider.examples.ownsource.OwnSource;
import dev.postrider.examples.plainjdbc.PlainJdbc;
import dev.postrider.examples.springjdbc.SpringJdbc;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs every example and reads what it prints. */
@Timeout(60)
class ExamplesTest {

    @Test
    void ownSourceDeliversFilesInOrderAndMovesAwayWhatIsNoMessage() throws Exception {
        List<String> lines = Printed.by(OwnSource::main);

        assertThat(lines)
                .contains("order-8 OrderPlaced {\"total\": 9}")
                .containsSubsequence("order-7 OrderPlaced {\"total\": 42}", "order-7 OrderPaid {}")
                .endsWith("rejected: 003-what-is-this")
                .hasSize(4);
    }

    @Test
    void ownDestinationRepeatsWhatMetABusyServerAndGivesUpWhatWasRefused() throws Exception {
        assertThat(Printed.by(OwnDestination::main))
                .containsExactly(
                        "received order-7 placed",
                        "received order-7 paid",
                        "received order-7 sent",
                        "given up: REJECTED, status 400");
    }

    @Test
    void plainJdbcSendsWhatWasCommittedAndNothingElse() throws Exception {
        assertThat(Printed.by(PlainJdbc::main))
                .containsExactlyInAnyOrder("billed order-1", "rolled back a second order-1", "billed order-2");
    }

    @Test
    void springJdbcSendsWhatItsTransactionsCommitted() throws Exception {
        assertThat(Printed.by(SpringJdbc::main))
                .contains("rolled back: too expensive: order-2", "billed order-1", "billed order-3")
                .endsWith("refused: there is no transaction")
                .hasSize(4);
    }
}
