package dev.postrider.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.spi.OutboxRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a next owner returns who continues from a saved position. */
class PostgresScanPositionIT {

    private static final HikariDataSource POOL = TestOutbox.poolOnSharedServer();

    private final TestOutbox outbox = TestOutbox.create(POOL, builder -> builder.lanes(1));
    private final ScanDriver first = ScanDriver.ofAllLanes(outbox.store());

    @Test
    void returnsWhatWasUnsettledAndWhatCameLater() throws SQLException {
        outbox.insertCommitted("settled");
        first.fetchAll();
        first.settle();
        outbox.insertCommitted("unsettled");
        first.fetchAll();
        String position = first.position(0).orElseThrow();
        outbox.insertCommitted("later");

        assertThat(successor(position).fetchKeys()).containsExactly("unsettled", "later");
    }

    @Test
    void returnsWhatCameLaterWhenEverythingWasSettled() throws SQLException {
        outbox.insertCommitted("settled");
        first.fetchAll();
        first.settle();
        String position = first.position(0).orElseThrow();
        assertThat(successor(position).fetchKeys()).isEmpty();
        outbox.insertCommitted("later");

        assertThat(successor(position).fetchKeys()).containsExactly("later");
    }

    @Test
    void returnsALateCommitFromBelowThePositionFirst() throws SQLException {
        try (Connection late = outbox.begin()) {
            outbox.insert(late, "k");
            outbox.insertCommitted("x");
            outbox.insertCommitted("unsettled");
            first.fetchAll();
            outbox.execute("DELETE FROM {outbox} WHERE message_key = 'x'");
            String position = first.scan().position(0, seqOf("unsettled")).orElseThrow();
            late.commit();
            outbox.insertCommitted("k");

            assertThat(successor(position).fetchKeys()).containsExactly("k", "unsettled", "k");
        }
    }

    @Test
    void returnsTheRestOfAReadThatWasInTheMiddle() throws SQLException {
        outbox.insertCommitted("a", "b", "c", "d", "e");
        first.limitedTo(2, 1000).fetch();
        first.settle();
        String position = first.position(0).orElseThrow();
        outbox.insertCommitted("f");

        assertThat(successor(position).fetchKeys()).containsExactly("c", "d", "e", "f");
        assertThat(successor(position).limitedTo(1, 1000).fetchKeys()).containsExactly("c", "d", "e", "f");
    }

    @Test
    void returnsTheRestOfAWindowThatWasInTheMiddle() throws SQLException {
        outbox.insertCommitted("settled");
        first.fetchAll();
        first.settle();
        try (Connection late = outbox.begin()) {
            outbox.insert(late, "late");
            outbox.insertCommitted("a", "b", "c", "d");
            first.limitedTo(2, 1000).fetch();
            first.settle();
            String position = first.position(0).orElseThrow();
            late.commit();

            assertThat(successor(position).limitedTo(1, 1000).fetchKeys()).containsExactly("late", "c", "d");
        }
    }

    @Test
    void handsOnThePositionOfAnOwnerWhoReadNothing() throws SQLException {
        outbox.insertCommitted("a");
        first.fetchAll();
        String position = first.position(0).orElseThrow();
        ScanDriver second = successor(position);
        second.fetchMoment();

        assertThat(second.position(0)).contains(position);
    }

    @Test
    void returnsLateRowsInPiecesWhenTheyAreTooMany() throws SQLException {
        try (Connection late = outbox.begin()) {
            outbox.insert(late, "l1", "l2", "l3", "l4", "l5");
            outbox.insertCommitted("unsettled");
            first.fetchAll();
            String position = first.position(0).orElseThrow();
            late.commit();

            assertThat(successor(position).limitedTo(2, 1000).fetchKeys())
                    .containsExactly("l1", "l2", "l3", "l4", "l5", "unsettled");
            assertThat(successor(position).limitedTo(100, 4).fetchKeys())
                    .containsExactly("l1", "l2", "l3", "l4", "l5", "unsettled");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "nonsense", "pg1 x y z", "pg1 00000000-0000-0000-0000-000000000000 1:2: 9223372036854775807"
            })
    void readsFromTheHeadWhenThePositionIsNotOfThisServer(String position) throws SQLException {
        outbox.insertCommitted("a", "b");

        assertThat(successor(position).fetchKeys()).containsExactly("a", "b");
    }

    @Test
    void doesNotReadSettledRowsAgain() throws SQLException {
        outbox.insertCommitted("settled");
        outbox.insertCommitted("unsettled");
        List<OutboxRow> rows = first.fetchAll();
        String position = first.scan().position(0, rows.get(1).seq()).orElseThrow();

        // Still there, as a row is that another transaction still sees: the successor must not look below its position.
        assertThat(successor(position).fetchKeys()).containsExactly("unsettled");
    }

    private ScanDriver successor(String position) {
        ScanDriver driver = new ScanDriver(outbox.store());
        driver.add(0, Optional.of(position));
        return driver;
    }

    private long seqOf(String key) {
        return first.received().stream()
                .filter(row -> row.key().equals(Optional.of(key)))
                .mapToLong(OutboxRow::seq)
                .findFirst()
                .orElseThrow();
    }
}
