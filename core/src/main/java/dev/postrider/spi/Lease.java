package dev.postrider.spi;

/**
 * One relay's ownership of one lane.
 *
 * <p>The epoch grows at every take. Whoever presents an older one has lost the lane, whatever its own clock says.
 *
 * @param owner the random id of the relay instance
 */
public record Lease(int lane, String owner, long epoch) {}
