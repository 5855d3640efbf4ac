package dev.postrider.store.mysql;

/**
 * Numbers of the hot table that follow each other, both ends included.
 *
 * @param passedAt when a higher number was seen first, in monotonic nanoseconds: all of these had been drawn by then
 */
record NumberRange(long from, long to, long passedAt) {

    boolean contains(long seq) {
        return from <= seq && seq <= to;
    }

    /** The part of it that lies in these bounds; the caller has checked that there is one. */
    NumberRange within(long lowest, long highest) {
        return new NumberRange(Math.max(from, lowest), Math.min(to, highest), passedAt);
    }
}
