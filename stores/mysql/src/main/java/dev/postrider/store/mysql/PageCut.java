package dev.postrider.store.mysql;

import java.util.List;

/**
 * The rows, of those that were found, that fit into the page to be returned.
 *
 * @param isCut whether some were left
 * @param isCutByBytes whether they were left for their size
 */
record PageCut(List<HotRow> rows, boolean isCut, boolean isCutByBytes) {

    /** Takes rows in order while they fit; the first always does. */
    static PageCut of(List<HotRow> found, int maxRows, long maxBytes) {
        int count = 0;
        long bytes = 0;
        while (count < Math.min(found.size(), maxRows)) {
            bytes += found.get(count).bytes();
            if (count > 0 && bytes > maxBytes) {
                return new PageCut(found.subList(0, count), true, true);
            }
            count++;
        }
        return new PageCut(found.subList(0, count), found.size() > count, false);
    }

    /** Of a page that is not empty. */
    long lastSeq() {
        return rows.get(rows.size() - 1).seq();
    }
}
