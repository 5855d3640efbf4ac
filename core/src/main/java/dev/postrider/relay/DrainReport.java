package dev.postrider.relay;

/**
 * What {@link Relay#drainOnce()} did.
 *
 * @param delivered acknowledged sends
 * @param failed attempts that failed
 * @param dead messages given up
 * @param isComplete whether nothing deliverable was left in the lanes that could be taken; false when a destination was
 *     unreachable or paused, a place there was unavailable, or the store failed
 */
public record DrainReport(long delivered, long failed, long dead, boolean isComplete) {}
