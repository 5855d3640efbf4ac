/** Servers of the tests, for the proofs and benchmarks that the launcher of a checkout runs. */
@NullMarked
package dev.postrider.launcherservers;

import org.jspecify.annotations.NullMarked;
