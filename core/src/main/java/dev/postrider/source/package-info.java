/**
 * For people whose messages already live somewhere: a table of their own, a file, a web service, another queue.
 *
 * <p>They implement {@link dev.postrider.source.MessageSource} with two methods, and
 * {@link dev.postrider.source.SourceOutboxStore} makes it an outbox that a relay can deliver. Whatever the source cannot
 * remember, such as attempts and dead letters, is kept in memory.
 */
@NullMarked
package dev.postrider.source;

import org.jspecify.annotations.NullMarked;
