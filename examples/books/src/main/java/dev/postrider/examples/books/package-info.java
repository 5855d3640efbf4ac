/**
 * The whole story in one small application: events marked in a .proto file, publishers and handlers generated from it, the outbox, a
 * relay to RabbitMQ, a receiver with a parking lot, and an inbox. Start reading at {@link dev.postrider.examples.books.BooksApp}.
 */
@NullMarked
package dev.postrider.examples.books;

import org.jspecify.annotations.NullMarked;
