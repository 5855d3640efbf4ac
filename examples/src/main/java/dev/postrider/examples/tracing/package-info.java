/**
 * One trace from an HTTP request to the effect of its event. Start reading at {@link dev.postrider.examples.tracing.Tracing}.
 */
@NullMarked
package dev.postrider.examples.tracing;

import org.jspecify.annotations.NullMarked;
