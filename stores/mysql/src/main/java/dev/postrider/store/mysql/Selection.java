package dev.postrider.store.mysql;

import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.store.jdbc.SqlStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Which rows a fetch wants: those of some lanes, without some topics.
 *
 * @param allLanes whether these are all lanes of the outbox, and need no condition
 */
record Selection(List<Integer> lanes, Set<String> excludedTopics, boolean allLanes) {

    static Selection of(FetchRequest request, Set<Integer> lanes, int laneCount) {
        return new Selection(lanes.stream().sorted().toList(), request.excludedTopics(), lanes.size() == laneCount);
    }

    void bind(SqlStatement statement) throws SQLException {
        if (!allLanes) {
            statement.withInts(lanes);
        }
        statement.withTexts(excludedTopics);
    }
}
