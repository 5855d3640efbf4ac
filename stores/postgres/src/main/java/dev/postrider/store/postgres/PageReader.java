package dev.postrider.store.postgres;

import dev.postrider.store.postgres.FetchedBatch.Room;
import dev.postrider.store.postgres.ScanQueries.Piece;
import java.util.List;
import java.util.function.Function;

/**
 * Reads the next pages of several lanes by the cheaper of two statements: as pages of small rows; where nothing fits that
 * way, or lately something did not, with their bytes added up. For one thread.
 */
final class PageReader {

    private final ScanQueries queries;
    private boolean largeRows;

    PageReader(ScanQueries queries) {
        this.queries = queries;
    }

    /** Within equal shares of the room that the batch has left. */
    FoundPages read(
            List<Piece> pieces,
            FetchedBatch batch,
            Function<Query<List<FoundRow>>, Observed<List<FoundRow>>> transaction) {
        Room share = batch.room().dividedBy(pieces.size());
        FoundPages pages = largeRows
                ? FoundPages.addedUp(transaction.apply(queries.pages(pieces, share, batch)), share)
                : FoundPages.ofSmallRows(transaction.apply(queries.pagesOfSmallRows(pieces, share, batch)), share);
        if (!largeRows && pages.haveOnlyLargeRows()) {
            pages = FoundPages.addedUp(transaction.apply(queries.pages(pieces, share, batch)), share);
        }
        largeRows = pages.haveLargeRows();
        return pages;
    }
}
