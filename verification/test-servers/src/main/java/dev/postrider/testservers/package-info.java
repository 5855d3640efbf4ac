/**
 * Real database servers and brokers for tests. A test asks {@link dev.postrider.testservers.Servers} for the server that the whole
 * build shares and makes a database of its own there, or starts a private server that it may kill, freeze and restart.
 *
 * <p>Start reading at {@link dev.postrider.testservers.Servers}; an {@code Engine} knows one kind of server, an {@code
 * Installation} is where its programs lie, an {@code Instance} is one running server, and the {@code Watchdog} ends all
 * of them when the build is over, however it ended.
 */
@NullMarked
package dev.postrider.testservers;

import org.jspecify.annotations.NullMarked;
