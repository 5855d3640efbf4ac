package dev.postrider.spi;

/**
 * A relay's right to send the messages of a lane, for as long as it lasts: what a destination needs to keep out a relay that has
 * lost the lane and does not know it.
 *
 * <p>The epoch grows at every take, so a tenure with a higher one has taken the place of all others of its lane. Thread-safe.
 */
public interface LaneTenure {

    int lane();

    long epoch();

    /**
     * Whether nobody else can have taken the lane yet, by this machine's monotonic clock. A relay that
     * was stopped for a while may have learned true before and act on it afterwards: only a broker can refuse that.
     */
    boolean isCertain();
}
