/**
 * Tests of Spring Boot applications with an outbox in memory.
 *
 * <p>Start at {@link dev.postrider.spring.boot.test.AutoConfigurePostrider}: it puts an outbox in memory in the place of the real one, and
 * {@link dev.postrider.spring.boot.test.AssertablePostrider} says what was written to it.
 */
@NullMarked
package dev.postrider.spring.boot.test;

import org.jspecify.annotations.NullMarked;
