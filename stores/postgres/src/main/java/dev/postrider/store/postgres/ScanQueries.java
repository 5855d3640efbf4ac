package dev.postrider.store.postgres;

import dev.postrider.spi.KeyState;
import dev.postrider.spi.OutboxRow;
import dev.postrider.store.jdbc.MessageReader;
import dev.postrider.store.jdbc.TableNames;
import dev.postrider.store.postgres.FetchedBatch.Room;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The statements of the scan with their parameters and results. Immutable and thread-safe. */
final class ScanQueries {

    private final RowReader rows;
    private final String difference;
    private final String lowestOfDifference;
    private final String pages;
    private final String pagesOfSmallRows;
    private final String sweep;

    ScanQueries(TableNames tables, MessageReader messages) {
        ScanSql sql = new ScanSql(tables, messages);
        this.rows = new RowReader(messages);
        this.difference = sql.difference();
        this.lowestOfDifference = sql.lowestOfDifference();
        this.pages = sql.pages();
        this.pagesOfSmallRows = sql.pagesOfSmallRows();
        this.sweep = sql.sweep();
    }

    /** A lane to read by difference: what was not visible in the snapshot, with a seq below the bound. */
    record Since(int lane, Snapshot snapshot, long belowSeq) {

        long upToSeq() {
            return upTo(belowSeq);
        }
    }

    /** The largest of all numbers bounds nothing: a row may have it. */
    private static long upTo(long belowSeq) {
        return belowSeq == Long.MAX_VALUE ? belowSeq : belowSeq - 1;
    }

    /** A piece of a lane to read by seq, as seen in {@code to} (or in the present) and not yet in {@code after}. */
    record Piece(int lane, long fromSeq, Optional<Snapshot> to, Optional<Snapshot> after) {

        /** The rows in memory that it would find again. What was not yet visible in {@code after} cannot be known. */
        List<Long> knownOf(FetchedBatch batch) {
            return after.isPresent() ? List.of() : batch.known(lane, fromSeq);
        }
    }

    /** Rows of a lane that were visible in {@code to} with a seq below the bound, or in {@code after}. */
    record Claim(int lane, Snapshot to, long belowSeq, Optional<Snapshot> after) {}

    /** For the moment alone. */
    Query<Boolean> nothing() {
        return new Query<>("SELECT true", parameters -> {}, ResultSet::next);
    }

    Query<List<FoundRow>> difference(List<Since> lanes, FetchedBatch batch) {
        Room room = batch.room();
        return new Query<>(
                difference,
                parameters -> {
                    bind(parameters, room);
                    bind(parameters, lanes, batch);
                    parameters.with(room.rows() + 1L);
                },
                rows::readAll);
    }

    Query<Map<Integer, Long>> lowestOfDifference(List<Since> lanes, FetchedBatch batch) {
        return new Query<>(
                lowestOfDifference, parameters -> bind(parameters, lanes, batch), ScanQueries::readSeqsByLane);
    }

    /** The beginnings of several pieces, each within the share. */
    Query<List<FoundRow>> pages(List<Piece> pieces, Room share, FetchedBatch batch) {
        return new Query<>(
                pages,
                parameters -> {
                    bind(parameters, pieces);
                    bind(parameters, share);
                    bind(parameters, pieces, share, batch);
                },
                rows::readAll);
    }

    /** The same without the content of rows larger than {@link Room#bytesOfSmallRow}, but with that of rows behind them. */
    Query<List<FoundRow>> pagesOfSmallRows(List<Piece> pieces, Room share, FetchedBatch batch) {
        return new Query<>(
                pagesOfSmallRows,
                parameters -> {
                    bind(parameters, pieces);
                    parameters.with(share.bytesOfSmallRow());
                    bind(parameters, pieces, share, batch);
                },
                rows::readAll);
    }

    private static void bind(Parameters parameters, List<Piece> pieces) throws SQLException {
        parameters
                .withInts(pieces.stream().mapToInt(Piece::lane).toArray())
                .withLongs(pieces.stream().mapToLong(Piece::fromSeq).toArray())
                .withSnapshots(pieces.stream().map(Piece::to).toList())
                .withSnapshots(pieces.stream().map(Piece::after).toList());
    }

    private static void bind(Parameters parameters, List<Piece> pieces, Room share, FetchedBatch batch)
            throws SQLException {
        parameters
                .withLongs(knownOf(pieces, batch))
                .withTexts(batch.excludedTopics())
                .with(share.rows() + 1L);
    }

    private static long[] knownOf(List<Piece> pieces, FetchedBatch batch) {
        return pieces.stream()
                .flatMap(piece -> piece.knownOf(batch).stream())
                .mapToLong(Long::longValue)
                .toArray();
    }

    /** The seqs of what is claimed, as far as it was committed before {@code old} was taken. */
    Query<long[]> sweep(Claim claim, Snapshot old, Set<String> excludedTopics, int limit) {
        return new Query<>(
                sweep,
                parameters -> parameters
                        .with(claim.lane())
                        .with(Optional.of(old))
                        .with(Optional.of(claim.to()))
                        .with(upTo(claim.belowSeq()))
                        .with(claim.after())
                        .withTexts(excludedTopics)
                        .with(limit),
                ScanQueries::readSeqs);
    }

    private static void bind(Parameters parameters, Room room) throws SQLException {
        parameters.with(room.rows()).with(room.evenOne()).with(room.bytes());
    }

    private static void bind(Parameters parameters, List<Since> lanes, FetchedBatch batch) throws SQLException {
        parameters
                .withLongs(lanes.stream().mapToLong(Since::lane).toArray())
                .withTexts(lanes.stream().map(since -> since.snapshot().text()).toList())
                .withLongs(lanes.stream().mapToLong(Since::upToSeq).toArray())
                .withTexts(batch.excludedTopics());
    }

    private static Map<Integer, Long> readSeqsByLane(ResultSet result) throws SQLException {
        Map<Integer, Long> seqs = new HashMap<>();
        while (result.next()) {
            seqs.put(result.getInt("lane"), result.getLong("seq"));
        }
        return seqs;
    }

    private static long[] readSeqs(ResultSet result) throws SQLException {
        List<Long> seqs = new ArrayList<>();
        while (result.next()) {
            seqs.add(result.getLong("seq"));
        }
        return seqs.stream().mapToLong(Long::longValue).toArray();
    }

    /** Turns the results of {@link ScanSql} into rows. */
    private static final class RowReader {

        private final MessageReader messages;

        RowReader(MessageReader messages) {
            this.messages = messages;
        }

        List<FoundRow> readAll(ResultSet rows) throws SQLException {
            int fits = rows.findColumn("fits");
            int keyHeld = rows.findColumn("key_held");
            List<FoundRow> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getBoolean(fits) ? withContent(rows, rows.getBoolean(keyHeld)) : withoutContent(rows));
            }
            return found;
        }

        private FoundRow withContent(ResultSet row, boolean keyHeld) throws SQLException {
            OutboxRow content = messages.read(row).hot(keyHeld ? KeyState.HELD : KeyState.FREE);
            return new FoundRow(content.lane(), content.seq(), Optional.of(content));
        }

        private static FoundRow withoutContent(ResultSet row) throws SQLException {
            return new FoundRow(row.getInt("lane"), row.getLong("seq"), Optional.empty());
        }
    }
}
