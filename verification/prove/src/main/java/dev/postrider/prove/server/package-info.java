/** The servers of a proof: a user's own, or such as a {@link dev.postrider.servers.ServerStarter} starts. */
@Internal
@NullMarked
package dev.postrider.prove.server;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
