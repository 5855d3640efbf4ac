package dev.postrider.benchpeers;

/**
 * A message as every peer gets it.
 *
 * @param number from zero; each number occurs once
 * @param key for those that know keys
 * @param payload text, because most peers keep nothing else
 */
record PeerMessage(int number, String key, String payload) {}
