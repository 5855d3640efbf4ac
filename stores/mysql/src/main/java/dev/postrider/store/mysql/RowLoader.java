package dev.postrider.store.mysql;

import dev.postrider.spi.OutboxRow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what a page has named only: rows that committed late, and large ones. */
final class RowLoader {

    private final HotTable hot;

    RowLoader(HotTable hot) {
        this.hot = hot;
    }

    /** What committed late, then what is new, by seq. */
    List<HotRow> candidates(ReadSession session, HotPage page, PageRequest request, KnownSeqs known)
            throws SQLException {
        List<Long> late =
                page.known().stream().filter(seq -> !known.contains(seq)).toList();
        if (late.isEmpty()) {
            return page.rows();
        }
        List<Long> first = late.subList(0, Math.min(late.size(), request.rowLimit()));
        List<HotRow> candidates = new ArrayList<>(hot.rows(session, first, request.inlineBytes()));
        if (first.size() < request.rowLimit()) {
            candidates.addAll(page.rows());
        }
        return candidates;
    }

    /** Reads what was too large to be read along. A row that is gone by now was settled by a previous owner of its lane. */
    List<OutboxRow> contents(ReadSession session, List<HotRow> rows) throws SQLException {
        List<Long> large = rows.stream()
                .filter(row -> row.content().isEmpty())
                .map(HotRow::seq)
                .toList();
        Map<Long, OutboxRow> contents = new HashMap<>();
        if (!large.isEmpty()) {
            hot.contents(session, large).forEach(row -> contents.put(row.seq(), row));
        }
        return rows.stream()
                .map(row -> row.content().orElseGet(() -> contents.get(row.seq())))
                .filter(row -> row != null)
                .toList();
    }
}
