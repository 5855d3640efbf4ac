package dev.postrider.store.mysql;

import dev.postrider.spi.LaneLeases.TakenLane;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.OutboxRow;
import dev.postrider.store.jdbc.JdbcContext;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What everybody writes first, and what loses messages: the rows above the last one seen. */
final class PlainCursorScan implements LaneScan {

    private final JdbcContext context;
    private final HotTable hot;
    private long last;

    PlainCursorScan(JdbcContext context, HotTable hot) {
        this.context = context;
        this.hot = hot;
    }

    @Override
    public Fetched fetch(FetchRequest request) {
        try (ReadSession session = ReadSession.open(context)) {
            Selection selection =
                    Selection.of(request, request.lanes(), context.options().lanes());
            HotPage page = hot.page(
                    session, new PageRequest(selection, last, List.of(), last, 0, request.maxRows(), 1 << 20, false));
            List<OutboxRow> rows =
                    page.rows().stream().flatMap(row -> row.content().stream()).toList();
            last = rows.isEmpty() ? last : rows.get(rows.size() - 1).seq();
            return new Fetched(rows, false, false, page.moment().time());
        } catch (SQLException error) {
            throw context.errors().translate("fetch", error);
        }
    }

    @Override
    public void add(TakenLane lane) {}

    @Override
    public void remove(int lane) {}

    @Override
    public void restart(int lane) {}

    @Override
    public long[] sweep(int lane, Set<String> excludedTopics, Duration minAge, int limit) {
        return new long[0];
    }

    @Override
    public Optional<String> position(int lane, long lowestUnsettled) {
        return Optional.empty();
    }
}
