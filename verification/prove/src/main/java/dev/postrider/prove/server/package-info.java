/** The servers of a proof: a user's own, or such as a {@link dev.postrider.servers.ServerStarter} starts. */
@NullMarked
package dev.postrider.prove.server;

import org.jspecify.annotations.NullMarked;
