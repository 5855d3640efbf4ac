package dev.postrider.faults;

import dev.postrider.spi.DeadLetterFilter;
import dev.postrider.spi.LaneLeases.LaneState;
import dev.postrider.spi.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The tables of the outbox, as a person at the database sees them. */
record OutboxTables(OutboxStore store, DataSource dataSource) {

    private static final int ALL = 1_000_000;

    /** The keys of all messages that wait, in the hot table or held; empty for those without key. */
    List<String> waitingKeys() {
        List<String> keys = new ArrayList<>(keysIn("outbox"));
        keys.addAll(keysIn("outbox_held"));
        return keys;
    }

    private List<String> keysIn(String table) {
        return new Sql(dataSource)
                .list(
                        "SELECT message_key FROM " + table + " ORDER BY seq",
                        row -> Objects.requireNonNullElse(row.getString(1), ""));
    }

    boolean isDrained() {
        return count("outbox") == 0 && count("outbox_held") == 0;
    }

    long count(String table) {
        return new Sql(dataSource).number("SELECT COUNT(*) FROM " + table);
    }

    Set<String> deadIds() {
        return store.deadLetters().list(DeadLetterFilter.all(), Optional.empty(), ALL).stream()
                .map(letter -> letter.message().id().toString())
                .collect(Collectors.toSet());
    }

    /** How many lanes each living owner has. */
    Map<String, Integer> lanesByOwner() {
        Map<String, Integer> lanes = new HashMap<>();
        store.leases().lanes().stream()
                .filter(LaneState::isOwned)
                .forEach(lane -> lanes.merge(lane.owner().orElseThrow(), 1, Integer::sum));
        return lanes;
    }

    /** Whether some open transaction has locked a lane. */
    boolean isAnyLaneLocked() {
        try (Connection connection = dataSource.getConnection()) {
            Sql.list(connection, "SELECT lane FROM outbox_lane FOR UPDATE NOWAIT", row -> row.getInt(1));
            return false;
        } catch (SQLException locked) {
            return true;
        }
    }

    /** Lets the time pass that held messages wait for. */
    void makeHeldDue() {
        new Sql(dataSource)
                .execute("UPDATE outbox_held SET next_attempt_at = created_at WHERE next_attempt_at IS NOT NULL");
    }

    List<Long> epochs() {
        return store.leases().lanes().stream().map(LaneState::epoch).toList();
    }
}
