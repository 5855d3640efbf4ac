package dev.postrider.examples.books;

import dev.postrider.Outbox;
import dev.postrider.bus.EventPublishers;
import dev.postrider.examples.books.v1.BookCreatedEvent;
import dev.postrider.examples.books.v1.BookRemovedEvent;
import dev.postrider.examples.books.v1.BooksEvents;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The service that owns the books: each change and its event are committed together, or neither is. */
final class Catalogue {

    private final DataSource dataSource;
    private final Outbox outbox;
    private final EventPublishers publishers;

    Catalogue(DataSource dataSource, Outbox outbox, EventPublishers publishers) {
        this.dataSource = dataSource;
        this.outbox = outbox;
        this.publishers = publishers;
    }

    void add(String isbn, String title) throws SQLException {
        outbox.inTransaction(dataSource, tx -> {
            execute(tx.connection(), "INSERT INTO book VALUES (?)", isbn);
            BooksEvents.publisher(publishers.in(tx))
                    .publishBookCreated(BookCreatedEvent.newBuilder()
                            .setIsbn(isbn)
                            .setTitle(title)
                            .build());
        });
    }

    void remove(String isbn) throws SQLException {
        outbox.inTransaction(dataSource, tx -> {
            execute(tx.connection(), "DELETE FROM book WHERE isbn = ?", isbn);
            BooksEvents.publisher(publishers.in(tx))
                    .publishBookRemoved(
                            BookRemovedEvent.newBuilder().setIsbn(isbn).build());
        });
    }

    private static void execute(Connection connection, String sql, String isbn) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, isbn);
            statement.executeUpdate();
        }
    }
}
