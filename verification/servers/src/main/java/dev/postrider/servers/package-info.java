/**
 * Servers that can be killed, restarted and cut off from their clients. {@link dev.postrider.servers.Servers} starts them by name, through
 * whatever {@link dev.postrider.servers.ServerStarter} is on the class path; the published command line has none. {@link
 * dev.postrider.servers.TcpFaultProxy} cuts connections.
 */
@NullMarked
package dev.postrider.servers;

import org.jspecify.annotations.NullMarked;
