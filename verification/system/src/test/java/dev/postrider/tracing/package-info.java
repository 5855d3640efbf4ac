/** Spans of messages that go through real brokers. */
package dev.postrider.tracing;
