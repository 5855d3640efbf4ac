package dev.postrider.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.examples.owndestination.OwnDestination;
import dev.postrider.examples.ownsource.OwnSource;
import dev.postrider.examples.plainjdbc.PlainJdbc;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs every example and reads what it prints. */
@Timeout(60)
class ExamplesTest {

    private static final String[] NO_ARGUMENTS = {};

    @Test
    void ownSourceDeliversFilesInOrderAndMovesAwayWhatIsNoMessage() throws Exception {
        List<String> lines = run(OwnSource::main);

        assertThat(lines)
                .contains("order-8 OrderPlaced {\"total\": 9}")
                .containsSubsequence("order-7 OrderPlaced {\"total\": 42}", "order-7 OrderPaid {}")
                .endsWith("rejected: 003-what-is-this")
                .hasSize(4);
    }

    @Test
    void ownDestinationRepeatsWhatMetABusyServerAndGivesUpWhatWasRefused() throws Exception {
        assertThat(run(OwnDestination::main))
                .containsExactly(
                        "received order-7 placed",
                        "received order-7 paid",
                        "received order-7 sent",
                        "given up: REJECTED, status 400");
    }

    @Test
    void plainJdbcSendsWhatWasCommittedAndNothingElse() throws Exception {
        assertThat(run(PlainJdbc::main))
                .containsExactlyInAnyOrder("billed order-1", "rolled back a second order-1", "billed order-2");
    }

    private static List<String> run(Example example) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            example.main(NO_ARGUMENTS);
        } finally {
            System.setOut(console);
        }
        return printed.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.contains(" WARN "))
                .toList();
    }

    private interface Example {
        void main(String[] arguments) throws Exception;
    }
}
