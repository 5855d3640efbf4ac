/**
 * An outbox with plain JDBC and nothing else. Start reading at {@link dev.postrider.examples.plainjdbc.PlainJdbc}.
 */
@NullMarked
package dev.postrider.examples.plainjdbc;

import org.jspecify.annotations.NullMarked;
