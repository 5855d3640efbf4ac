/**
 * Traces of messages with OpenTelemetry: {@link dev.postrider.opentelemetry.OpenTelemetryTracing} is what an outbox, a relay and a subscriber
 * are given.
 */
@NullMarked
package dev.postrider.opentelemetry;

import org.jspecify.annotations.NullMarked;
