package dev.postrider.store.jdbc;

import dev.postrider.spi.HeldMessages.DueRequest;
import dev.postrider.spi.RowRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses held rows until the limits of a request are reached: each head, then its followers in order. */
final class HeldSelection {

    private final DueRequest request;
    private final List<RowRef> rows = new ArrayList<>();
    private long bytes;
    private boolean full;

    HeldSelection(DueRequest request) {
        this.request = request;
    }

    /** Whether something was left out that could have been returned. */
    boolean isFull() {
        return full;
    }

    List<RowRef> rows() {
        return rows;
    }

    void add(HeldCandidate head, @Nullable List<HeldCandidate> followers) {
        if (!full && add(head) && followers != null) {
            followers.sort(Comparator.comparingLong(row -> row.ref().seq()));
            addFollowers(followers);
        }
    }

    /** Stops at the first that may not go out: what follows it must wait for it. All lead where the head does. */
    private void addFollowers(List<HeldCandidate> followers) {
        for (HeldCandidate follower : followers) {
            if (follower.blocked()) {
                return;
            }
            boolean known = request.known()
                    .contains(follower.ref().lane(), follower.ref().seq());
            if (!known && !add(follower)) {
                return;
            }
        }
    }

    private boolean add(HeldCandidate row) {
        boolean fits = rows.isEmpty() || (rows.size() < request.maxRows() && bytes + row.bytes() <= request.maxBytes());
        if (fits) {
            rows.add(row.ref());
            bytes += row.bytes();
        } else {
            full = true;
        }
        return fits;
    }
}
