/**
 * What operators see and do, the same from the command line and from an application: how an outbox stands, which dead letters are meant, and
 * what is done to them.
 */
@Internal
@NullMarked
package dev.postrider.service.operation;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
