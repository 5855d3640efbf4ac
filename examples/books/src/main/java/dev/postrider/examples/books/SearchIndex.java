package dev.postrider.examples.books;

import dev.postrider.Inbox;
import dev.postrider.bus.EventContext;
import dev.postrider.bus.Subscriber;
import dev.postrider.bus.UnprocessableEventException;
import dev.postrider.examples.books.v1.BookCreatedEvent;
import dev.postrider.examples.books.v1.BookRemovedEvent;
import dev.postrider.examples.books.v1.BooksEvents;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Another service, which follows the events: each has its effect once, however often it arrives. */
final class SearchIndex {

    private final DataSource dataSource;
    private final Inbox inbox;

    SearchIndex(DataSource dataSource, Inbox inbox) {
        this.dataSource = dataSource;
        this.inbox = inbox;
    }

    void subscribeWith(Subscriber subscriber) {
        BooksEvents.registerBookCreated(subscriber, this::add);
        BooksEvents.registerBookRemoved(subscriber, this::remove);
    }

    private void add(BookCreatedEvent book, EventContext context) throws SQLException {
        if (book.getTitle().isBlank()) {
            System.out.println("cannot index " + book.getIsbn() + ": it has no title");
            throw new UnprocessableEventException("Book " + book.getIsbn() + " has no title");
        }
        once(context, connection -> {
            execute(connection, "INSERT INTO indexed_book VALUES (?)", book.getIsbn());
            System.out.println("indexed " + book.getTitle());
        });
    }

    private void remove(BookRemovedEvent book, EventContext context) throws SQLException {
        once(context, connection -> {
            execute(connection, "DELETE FROM indexed_book WHERE isbn = ?", book.getIsbn());
            System.out.println("forgot " + book.getIsbn());
        });
    }

    private void once(EventContext context, Effect effect) throws SQLException {
        inbox.inTransaction(dataSource, context.subscriber(), context.message(), effect::on);
    }

    private static void execute(Connection connection, String sql, String isbn) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, isbn);
            statement.executeUpdate();
        }
    }

    private interface Effect {
        void on(Connection connection) throws SQLException;
    }
}
