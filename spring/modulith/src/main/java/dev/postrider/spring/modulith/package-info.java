/**
 * Events that Spring Modulith externalises go to the outbox instead of straight to a broker.
 *
 * <p>Start reading at {@link dev.postrider.spring.modulith.OutboxExternalizer}; Spring Boot makes it by itself.
 */
@NullMarked
package dev.postrider.spring.modulith;

import org.jspecify.annotations.NullMarked;
