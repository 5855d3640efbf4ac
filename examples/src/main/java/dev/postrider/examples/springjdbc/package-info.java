/**
 * An outbox under Spring's {@code @Transactional}, with beans wired by hand. Start reading at
 * {@link dev.postrider.examples.springjdbc.SpringJdbc}.
 */
@NullMarked
package dev.postrider.examples.springjdbc;

import org.jspecify.annotations.NullMarked;
