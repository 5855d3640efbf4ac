/**
 * A destination inside the process: for tests, demos and modules of one application that talk to each other.
 *
 * <p>Messages come in from a relay and go out to the handlers or receivers of every subscribed group. Start at
 * {@link dev.postrider.destination.memory.MemoryDestination}.
 */
@NullMarked
package dev.postrider.destination.memory;

import org.jspecify.annotations.NullMarked;
