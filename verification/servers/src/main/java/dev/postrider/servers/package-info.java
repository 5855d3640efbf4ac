/**
 * Servers for proofs and benchmarks: {@link dev.postrider.servers.Servers} starts them by name, through whatever {@link
 * dev.postrider.servers.ServerStarter} is on the class path. The published command line has none.
 */
@NullMarked
package dev.postrider.servers;

import org.jspecify.annotations.NullMarked;
