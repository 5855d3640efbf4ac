/**
 * Measures what a Java user would pick instead of Postrider, in the same run and through the same deliveries.
 *
 * <p>A {@link dev.postrider.benchpeers.Peer} says what it is and opens a {@link dev.postrider.benchpeers.PeerOutbox}; {@link
 * dev.postrider.benchpeers.Deliveries} proves that each message arrived. Start reading at {@link
 * dev.postrider.benchpeers.PeersScenario}.
 */
@NullMarked
package dev.postrider.benchpeers;

import org.jspecify.annotations.NullMarked;
