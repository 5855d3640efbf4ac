package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Inbox;
import dev.postrider.NoTransactionException;
import dev.postrider.message.Headers;
import dev.postrider.message.MessageId;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.InboxStore;
import dev.postrider.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link InboxStore} must do: one suite for all.
 *
 * <p>A store's test is a subclass that opens an empty database and creates the inbox in it.
 */
public abstract class InboxContract {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private DataSource dataSource;
    private Inbox inbox;

    protected InboxContract() {}

    /** An empty database; connections may be slow to make but must be many. */
    protected abstract DataSource openDatabase();

    /** Creates the inbox with default options. */
    protected abstract InboxStore createInbox(DataSource database);

    /** Lets go of the database. */
    protected abstract void closeDatabase(DataSource database);

    @BeforeEach
    final void open() throws SQLException {
        dataSource = openDatabase();
        inbox = Inbox.over(createInbox(dataSource));
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute("CREATE TABLE effects (message VARCHAR(1024) NOT NULL)");
        }
    }

    @AfterEach
    final void close() {
        threads.shutdownNow();
        if (dataSource != null) {
            closeDatabase(dataSource);
        }
    }

    private static OutboxMessage message() {
        return OutboxMessage.builder("orders").type("com.example.OrderPlaced").build();
    }

    private boolean process(String consumer, OutboxMessage message) {
        return inbox.inTransaction(dataSource, consumer, message, connection -> addEffect(connection, message));
    }

    private static void addEffect(Connection connection, OutboxMessage message) {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effects (message) VALUES (?)")) {
            insert.setString(1, message.id().toString());
            insert.executeUpdate();
        } catch (SQLException error) {
            throw new StoreException("Could not insert an effect", error);
        }
    }

    private List<String> effects() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT message FROM effects")) {
            List<String> effects = new ArrayList<>();
            while (rows.next()) {
                effects.add(rows.getString(1));
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return effects;
        }
    }

    @Test
    final void runsTheHandlerOfADuplicateOnce() throws SQLException {
        OutboxMessage message = message();

        assertThat(process("billing", message)).isTrue();
        assertThat(process("billing", message)).isFalse();
        assertThat(process("billing", message())).isTrue();

        assertThat(effects()).hasSize(2).doesNotHaveDuplicates();
    }

    /** Other producers choose ids that are unique only together with their source. */
    @Test
    final void recognisesADuplicateByItsForeignIdAndSource() throws SQLException {
        OutboxMessage message = foreign("/shop", "order-42");

        assertThat(process("billing", message)).isTrue();
        assertThat(process("billing", foreign("/shop", "order-42"))).isFalse();
        assertThat(process("billing", foreign("/shop", "Order-42"))).isTrue();
        assertThat(process("billing", foreign("/shop", "x".repeat(1_000)))).isTrue();
        assertThat(process("billing", foreign("/" + "s".repeat(2_000), "order-42")))
                .isTrue();
        assertThat(process("billing", foreign("/other", "order-42"))).isTrue();

        assertThat(effects()).hasSize(5);
    }

    private static OutboxMessage foreign(String source, String id) {
        return OutboxMessage.builder("orders")
                .id(MessageId.of(id))
                .type("com.example.OrderPlaced")
                .header(Headers.SOURCE, source)
                .build();
    }

    @Test
    final void letsEveryConsumerHandleAMessageForItself() throws SQLException {
        OutboxMessage message = message();

        assertThat(List.of("billing", "Billing", "shipping", "billing ", "größe"))
                .allSatisfy(consumer -> assertThat(process(consumer, message)).isTrue());

        assertThat(effects()).hasSize(5);
    }

    @Test
    final void forgetsWhatAHandlerDidThatFailed() throws SQLException {
        OutboxMessage message = message();

        assertThatThrownBy(() -> inbox.inTransaction(dataSource, "billing", message, connection -> {
                    addEffect(connection, message);
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");

        assertThat(effects()).isEmpty();
        assertThat(process("billing", message)).isTrue();
        assertThat(effects()).hasSize(1);
    }

    @Test
    final void joinsTheTransactionOfTheCaller() throws SQLException {
        OutboxMessage message = message();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(inbox.process(connection, "billing", message, same -> addEffect(same, message)))
                    .isTrue();
            connection.rollback();
            assertThat(inbox.process(connection, "billing", message, same -> addEffect(same, message)))
                    .isTrue();
            assertThat(inbox.process(connection, "billing", message, same -> addEffect(same, message)))
                    .isFalse();
            connection.commit();
        }

        assertThat(process("billing", message)).isFalse();
        assertThat(effects()).hasSize(1);
    }

    @Test
    final void refusesAConnectionWithoutTransaction() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(true);

            assertThatThrownBy(() -> inbox.process(connection, "billing", message(), same -> {}))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("inbox.inTransaction");
        }
    }

    @Test
    final void makesADuplicateWaitForTheFirstAndThenDropsIt() throws Exception {
        OutboxMessage message = message();
        CompletableFuture<Boolean> second = whileFirstIsHandled(message, () -> {});

        assertThat(second).succeedsWithin(SOON).isEqualTo(false);
        assertThat(effects()).hasSize(1);
    }

    @Test
    final void handlesADuplicateWhenTheFirstRollsBack() throws Exception {
        OutboxMessage message = message();
        CompletableFuture<Boolean> second = whileFirstIsHandled(message, () -> {
            throw new IllegalStateException("on purpose");
        });

        assertThat(second).succeedsWithin(SOON).isEqualTo(true);
        assertThat(effects()).hasSize(1);
    }

    /** Starts a duplicate while the first one's transaction is open, then lets that end. */
    private CompletableFuture<Boolean> whileFirstIsHandled(OutboxMessage message, Runnable end) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(
                () -> inbox.inTransaction(dataSource, "billing", message, connection -> {
                    addEffect(connection, message);
                    begun.countDown();
                    await(release);
                    end.run();
                }),
                threads);
        begun.await();
        CompletableFuture<Boolean> second =
                CompletableFuture.supplyAsync(() -> processInTheEnd("billing", message), threads);
        assertThat(second.isDone()).isFalse();
        release.countDown();
        assertThat(first.handle((result, failure) -> true)).succeedsWithin(SOON);
        return second;
    }

    /** As a broker would: tries again when the database could not say, as after a deadlock. */
    private boolean processInTheEnd(String consumer, OutboxMessage message) {
        for (int attempt = 1; ; attempt++) {
            try {
                return process(consumer, message);
            } catch (StoreException conflict) {
                if (attempt == 20) {
                    throw conflict;
                }
            }
        }
    }

    @Test
    final void handlesEachMessageOnceAmongManyThatCompete() throws Exception {
        List<OutboxMessage> messages =
                IntStream.range(0, 40).mapToObj(i -> message()).toList();
        List<CompletableFuture<Integer>> consumers = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> handleShuffled(messages), threads))
                .toList();

        int handled = consumers.stream().mapToInt(CompletableFuture::join).sum();

        assertThat(handled).isEqualTo(40);
        assertThat(effects()).hasSize(40).doesNotHaveDuplicates();
    }

    private int handleShuffled(List<OutboxMessage> messages) {
        List<OutboxMessage> mine = new ArrayList<>(messages);
        Collections.shuffle(mine, ThreadLocalRandom.current());
        return (int) mine.stream()
                .filter(message -> processInTheEnd("billing", message))
                .count();
    }

    @Test
    final void forgetsOnlyWhatIsOldEnough() {
        List<OutboxMessage> messages =
                IntStream.range(0, 5).mapToObj(i -> message()).toList();
        messages.forEach(message -> process("billing", message));

        assertThat(inbox.cleanUp(Duration.ofHours(1))).isZero();
        assertThat(process("billing", messages.get(0))).isFalse();
        assertThat(inbox.cleanUp(Duration.ZERO)).isEqualTo(5);
        assertThat(process("billing", messages.get(0))).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
