package dev.postrider.store.mysql;

/**
 * A committed row, without its content.
 *
 * @param excluded whether its topic is one that the fetch passes over
 */
record SeenRow(long seq, int lane, boolean excluded) {}
