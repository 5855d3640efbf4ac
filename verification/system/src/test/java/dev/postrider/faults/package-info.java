/**
 * Crashes, outages and cut networks against real servers.
 *
 * <p>A {@code Scene} holds a database, a {@code RecordingBroker} in this JVM, {@code Writers} that enqueue, and relays in processes
 * of their own that are killed, stopped and closed. Afterwards {@code Comparison} compares what was committed with what arrived.
 */
@NullMarked
package dev.postrider.faults;

import org.jspecify.annotations.NullMarked;
