package dev.postrider.store.h2;

import dev.postrider.spi.LaneScan.FetchRequest;
import dev.postrider.store.h2.H2LaneScan.Candidate;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of one fetch: unknown ones from the head, until the limits are reached.
 *
 * @param more whether something unknown was left out
 */
record HeadPage(List<Candidate> candidates, boolean more) {

    static HeadPage of(FetchRequest request, List<Candidate> fromHead) {
        List<Candidate> page = new ArrayList<>();
        long bytes = 0;
        for (Candidate row : fromHead) {
            if (request.known().contains(row.ref().lane(), row.ref().seq())) {
                continue;
            }
            boolean fits = page.size() < request.maxRows() && bytes + row.bytes() <= request.maxBytes();
            if (!fits && !page.isEmpty()) {
                return new HeadPage(page, true);
            }
            page.add(row);
            bytes += row.bytes();
        }
        return new HeadPage(page, false);
    }
}
