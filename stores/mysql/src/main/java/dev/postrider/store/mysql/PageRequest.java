package dev.postrider.store.mysql;

import java.util.List;

/**
 * What {@link HotTable#page} reads.
 *
 * @param after where to begin
 * @param alone numbers up to there that are looked up by themselves
 * @param knownUpTo the highest seq that the relay knows, or {@code after}: up to it seqs are enough, since late commits
 *     among them are rare
 * @param knownLimit how many seqs of each of the two, up to there
 * @param rowLimit how many rows above
 * @param inlineBytes headers and payload together of a row that is to be read along
 * @param asksForStart whether to ask since when the server runs
 */
record PageRequest(
        Selection selection,
        long after,
        List<NumberRange> alone,
        long knownUpTo,
        int knownLimit,
        int rowLimit,
        long inlineBytes,
        boolean asksForStart) {}
