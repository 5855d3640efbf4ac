/** Proofs and benchmarks as the launcher at the root runs them: on servers that they start themselves. */
@NullMarked
package dev.postrider.launcher;

import org.jspecify.annotations.NullMarked;
