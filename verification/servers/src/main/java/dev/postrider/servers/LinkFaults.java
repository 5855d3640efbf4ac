package dev.postrider.servers;

import dev.postrider.servers.TcpFaultProxy.Direction;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** What is wrong with a network now. Thread-safe. */
final class LinkFaults {

    private final Set<Direction> held = EnumSet.noneOf(Direction.class);
    private final Map<Direction, Long> cutAfter = new EnumMap<>(Direction.class);
    private Duration latency = Duration.ZERO;
    private long bytesPerSecond;

    synchronized void hold(Direction direction) {
        held.add(direction);
    }

    synchronized void release(Direction direction) {
        held.remove(direction);
        notifyAll();
    }

    synchronized void delay(Duration duration) {
        latency = duration;
    }

    synchronized void throttle(long value) {
        bytesPerSecond = value;
    }

    synchronized void cutAfter(Direction direction, long bytes) {
        cutAfter.put(direction, bytes);
    }

    synchronized void heal() {
        held.clear();
        cutAfter.clear();
        latency = Duration.ZERO;
        bytesPerSecond = 0;
        notifyAll();
    }

    /** Lets those who wait in {@link #awaitFlow} look again whether they have ended. */
    synchronized void wake() {
        notifyAll();
    }

    /** Waits while bytes in this direction are held, at most until the connection has ended. */
    synchronized void awaitFlow(Direction direction, BooleanSupplier hasEnded) throws InterruptedException {
        while (held.contains(direction) && !hasEnded.getAsBoolean()) {
            wait();
        }
    }

    /** Takes as long as the network does to carry this many bytes. */
    void pace(int bytes) throws InterruptedException {
        Duration time = timeFor(bytes);
        if (!time.isZero()) {
            Thread.sleep(time.toMillis(), time.toNanosPart() % 1_000_000);
        }
    }

    private synchronized Duration timeFor(int bytes) {
        return bytesPerSecond == 0 ? latency : latency.plusNanos(bytes * 1_000_000_000L / bytesPerSecond);
    }

    /** How many more bytes a connection may carry that has carried {@code carried} bytes. */
    synchronized long bytesLeft(Direction direction, long carried) {
        return Math.max(0, cutAfter.getOrDefault(direction, Long.MAX_VALUE) - carried);
    }
}
