package dev.postrider.store.mysql;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The number up to which, in any lane, no row is in doubt; and the numbers below it that must still be looked up by themselves.
 *
 * <p>It stays below a row that only a dirty read shows ({@link Probe}), and a second behind the newest row ({@link TrailingSeq}).
 * It also stays below a number that no read has shown ({@link UnseenNumbers}): its insert may wait for a lock, invisible to every read, and
 * commit later. Such a number is dead once the server has counted no lock wait ({@link LockWaits}) and a dirty read after that
 * does not show it. Where the server always counts waits, which may be on any table, the horizon stays back for some seconds only. Then it passes the number,
 * and every fetch looks it up by itself in its one statement, so that it is found in the snapshot that shows a later row of its key.
 */
final class Horizon {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final TrailingSeq tip = new TrailingSeq();
    private final UnseenNumbers unseen = new UnseenNumbers();
    private final LockWaits waits = new LockWaits();
    private OptionalLong suspectsBefore = OptionalLong.empty();
    private long seq;

    long seq() {
        return seq;
    }

    /** The highest number that any read has shown. */
    long highestSeen() {
        return unseen.highest();
    }

    /** Up to where it is worth to look. */
    long target(long nanos) {
        return Math.max(seq, tip.ripe(nanos));
    }

    /** The lowest number that may still appear, among those that were passed or not yet reached. */
    long lowestUnseen() {
        return unseen.lowest();
    }

    /** The numbers up to one that a fetch which starts there must look up by themselves. */
    List<NumberRange> toLookUp(long upTo) {
        return unseen.upTo(Math.min(seq, upTo));
    }

    /**
     * The numbers below the horizon that no wait hides any more, or that are given up: a dirty read now tells whether they exist,
     * and {@link #looked} forgets them if they do not.
     */
    List<NumberRange> suspects(long nanos) {
        suspectsBefore = waits.ruledOutBefore();
        OptionalLong givenUp = unseen.givenUpBefore(nanos);
        if (givenUp.isPresent() && (suspectsBefore.isEmpty() || givenUp.getAsLong() - suspectsBefore.getAsLong() > 0)) {
            suspectsBefore = givenUp;
        }
        return suspectsBefore.isEmpty()
                ? List.of()
                : unseen.upTo(seq).stream()
                        .filter(range -> range.passedAt() - suspectsBefore.getAsLong() <= 0)
                        .toList();
    }

    /** Another relay has proved that nothing can appear up to this number. */
    void startAfter(long position) {
        seq = Math.max(seq, position);
        unseen.startAfter(position);
    }

    void counted(RowLockWaits counted, long sentAt) {
        waits.counted(counted.current(), sentAt);
        unseen.lockWaitTimeout(counted.timeout());
    }

    /** All transactions that can have drawn a number before this moment have ended. */
    void ended(long before) {
        waits.ruledOut(before);
    }

    /** A fetch returned these rows. */
    void fetched(List<HotRow> rows, long nanos) {
        rows.forEach(row -> unseen.saw(row.seq(), nanos));
    }

    /**
     * What dirty reads have shown.
     *
     * @param above numbers above the horizon
     * @param suspects those of {@link #suspects} that exist
     * @param suspectsUpTo up to where they were read
     */
    void looked(List<Long> above, List<Long> suspects, long suspectsUpTo, long nanos) {
        suspectsBefore.ifPresent(moment -> unseen.bury(moment, 0, Math.min(seq, suspectsUpTo), suspects));
        above.stream().max(Long::compare).ifPresent(highest -> tip.saw(highest, nanos));
        above.forEach(number -> unseen.saw(number, nanos));
    }

    /** Moves as far as this probe allows; its dirty read was told to {@link #looked}. */
    void move(Probe probe, long nanos) {
        waits.ruledOutBefore().ifPresent(moment -> unseen.bury(moment, seq, probe.upTo(), List.of()));
        long firstUnseen = unseen.firstAbove(seq, nanos - PATIENCE_NANOS);
        seq = Math.max(seq, Math.min(probe.safeUpTo(), firstUnseen - 1));
    }

    void forget() {
        tip.forget();
        unseen.clear();
        waits.forget();
        suspectsBefore = OptionalLong.empty();
        seq = 0;
    }
}
