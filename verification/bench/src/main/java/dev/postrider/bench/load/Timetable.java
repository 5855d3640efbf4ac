package dev.postrider.bench.load;

import java.util.concurrent.locks.LockSupport;

/**
 * When each transaction is to begin, whatever those before it took. Immutable.
 *
 * @param rate transactions per second; {@link MixedLoad#FULL_SPEED}: each as soon as its producer is free
 * @param start by {@link System#nanoTime()}
 */
record Timetable(int rate, long start) {

    /** Waits for the turn of a transaction and returns by how much it is late. */
    long await(int number) {
        if (rate == MixedLoad.FULL_SPEED) {
            return 0;
        }
        long due = start + number * 1_000_000_000L / rate;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return System.nanoTime() - due;
    }
}
