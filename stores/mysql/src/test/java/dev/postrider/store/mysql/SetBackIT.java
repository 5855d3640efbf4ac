package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Numbers that begin again below those that were delivered: nobody may wait for the sweep. */
class SetBackIT {

    private static final Set<Integer> ONE_LANE = Set.of(0);

    static List<Arguments> everyWayOnEveryServer() {
        List<Arguments> all = new ArrayList<>();
        for (TestServer server : List.of(TestServer.MYSQL, TestServer.MARIADB)) {
            all.add(Arguments.of(server, List.of("TRUNCATE TABLE outbox")));
            if (server.flavor() != Flavor.TIDB) { // which never sets its numbers back by this
                all.add(Arguments.of(server, List.of("DELETE FROM outbox", "ALTER TABLE outbox AUTO_INCREMENT = 1")));
            }
            // As a dump does that is restored in place.
            all.add(Arguments.of(
                    server,
                    List.of(
                            "CREATE TABLE empty_copy LIKE outbox",
                            "DROP TABLE outbox",
                            "RENAME TABLE empty_copy TO outbox")));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("everyWayOnEveryServer")
    void startsFromTheHeadAtOnce(TestServer server, List<String> setBack) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("set_back")) {
            TestStore store = TestStore.create(dataSource, 1);
            ScanSession scan = new ScanSession(store, ONE_LANE);
            deliverTen(store, scan);
            for (String sql : setBack) {
                store.execute(sql);
            }
            MessageId low = commit(store);
            scan.passTime();

            assertThat(scan.fetch().newIncarnation()).isTrue();
            scan.forget();
            assertThat(scan.deliver()).containsExactly(low);
            scan.letMarksMove();
            assertThat(scan.fetch().newIncarnation()).isFalse();
        }
    }

    /** The next number alone would not tell it. */
    @ParameterizedTest
    @MethodSource("everyWayOnEveryServer")
    void startsFromTheHeadAtOnceAlsoWhenNumbersHaveAlreadyPassedTheOldOnes(TestServer server, List<String> setBack)
            throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("set_back")) {
            TestStore store = TestStore.create(dataSource, 1);
            ScanSession scan = new ScanSession(store, ONE_LANE);
            deliverTen(store, scan);
            scan.fetchFor(4);
            for (String sql : setBack) {
                store.execute(sql);
            }
            List<MessageId> more = new ArrayList<>();
            for (int n = 0; n < 15; n++) {
                more.add(commit(store));
            }
            scan.passTime();

            assertThat(scan.fetch().newIncarnation()).isTrue();
            scan.forget();
            assertThat(scan.deliver()).containsExactlyElementsOf(more);
            scan.letMarksMove();
            assertThat(scan.fetch().newIncarnation()).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("everyWayOnEveryServer")
    void ignoresASavedPositionAboveAllNumbers(TestServer server, List<String> setBack) throws SQLException {
        try (HikariDataSource dataSource = server.newDatabase("set_back")) {
            TestStore store = TestStore.create(dataSource, 1);
            ScanSession scan = new ScanSession(store, ONE_LANE);
            deliverTen(store, scan);
            Optional<String> saved = scan.savedPosition(0);
            for (String sql : setBack) {
                store.execute(sql);
            }
            MessageId low = commit(store);

            assertThat(new ScanSession(store, ONE_LANE, saved).deliver()).containsExactly(low);
        }
    }

    private static void deliverTen(TestStore store, ScanSession scan) throws SQLException {
        for (int n = 0; n < 10; n++) {
            commit(store);
        }
        scan.letMarksMove();
        scan.settleAll();
        assertThat(scan.position(0)).isEqualTo(10);
    }

    private static MessageId commit(TestStore store) throws SQLException {
        OutboxMessage message =
                OutboxMessage.builder("orders").key("a").type("test").build();
        try (Connection connection = store.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            store.store().insert(connection, List.of(message));
            connection.commit();
        }
        return message.id();
    }
}
