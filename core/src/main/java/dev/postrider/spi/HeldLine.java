package dev.postrider.spi;

/**
 * Held messages that go out one after the other: those of one key for one destination.
 *
 * @param destination the name of the destination
 */
public record HeldLine(int lane, String key, String destination) {}
