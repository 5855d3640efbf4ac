/**
 * Postrider in a Spring Boot application: one dependency, and keys below {@code postrider} that are those of the standalone relay's file.
 *
 * <p>Start reading at {@link dev.postrider.spring.boot.PostriderAutoConfiguration}. {@code PostriderProperties} reads the keys,
 * {@code OutboxParts} makes the parts of each outbox, and {@code OutboxLifecycle} runs its relay with the context. Every bean gives way to
 * one that the application defines.
 */
@NullMarked
package dev.postrider.spring.boot;

import org.jspecify.annotations.NullMarked;
