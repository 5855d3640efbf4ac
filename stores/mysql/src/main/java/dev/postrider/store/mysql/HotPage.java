package dev.postrider.store.mysql;

import java.util.List;

/**
 * What one statement, in one snapshot, found above a seq.
 *
 * @param known the seqs up to the highest that the relay knows; one that it does not know committed late
 * @param rows the rows above, in order
 */
record HotPage(ServerMoment moment, List<Long> known, List<HotRow> rows) {}
