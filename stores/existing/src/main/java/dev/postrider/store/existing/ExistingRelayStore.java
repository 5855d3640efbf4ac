package dev.postrider.store.existing;

import dev.postrider.spi.HeldMessages;
import dev.postrider.spi.LaneScan;
import dev.postrider.spi.NoHeldMessages;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.RelayStore;
import dev.postrider.spi.Settlements;
import dev.postrider.store.jdbc.TransactionRunner;
import java.util.Set;

/** What a relay uses of existing tables, in the order that it keeps. */
record ExistingRelayStore(StoreParts parts, Ordering ordering, Settlements settlements, TransactionRunner transactions)
        implements RelayStore {

    @Override
    public LaneScan openScan() {
        return new ExistingScan(parts, ordering);
    }

    @Override
    public HeldMessages held() {
        return new NoHeldMessages();
    }

    /** Rows that wait in a table of their own come back when their retry is due. */
    @Override
    public Released releaseDelayed(Set<Integer> lanes, int limit) {
        return transactions.inTransaction(
                "return waiting rows",
                connection -> new Released(
                        parts.rows().releaseDue(connection, limit), parts.rows().nextDue(connection)));
    }
}
