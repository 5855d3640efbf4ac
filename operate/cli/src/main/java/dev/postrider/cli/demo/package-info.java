/**
 * A day in the life of an outbox, on embedded parts. The writers, the ledger and the verdict are those of {@code postrider prove}; here are
 * what stands for the servers, and a relay that is killed.
 *
 * <p>Start at {@link dev.postrider.cli.demo.Demo}.
 */
@Internal
@NullMarked
package dev.postrider.cli.demo;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
