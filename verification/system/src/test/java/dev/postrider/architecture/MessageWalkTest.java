package dev.postrider.architecture;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isInterface;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isSubTypeOf;
import static net.bytebuddy.matcher.ElementMatchers.isSynthetic;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.Outbox;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.spi.Destination;
import dev.postrider.spi.OutboxStore;
import dev.postrider.store.h2.H2OutboxStore;
import dev.postrider.store.jdbc.SchemaMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/**
 * Who wants to know what happens to a message reads the classes that it enters, from {@code enqueue} to the delete of its row: the rooms of its
 * walk, as {@code docs/architecture.md} draws it.
 *
 * <p>A room is a class with behaviour that is given the message, in whatever form. Not rooms: the forms themselves, which are values; interfaces,
 * which say what a room promises; and what decides nothing about the message: the tools of JDBC, which write SQL for any row, the spans of traces, and the watch
 * for overdue sends, which only now and then looks at what is in flight. Nested classes belong to the one
 * that a reader opens.
 */
class MessageWalkTest {

    /** In the order of the walk. */
    private static final List<String> ROOMS = List.of(
            "Outbox",
            "JdbcOutboxStore",
            "MessageInsert",
            "H2LaneScan",
            "Fetcher",
            "WorkerGates",
            "Lines",
            "Line",
            "WorkerGate",
            "Dispatcher",
            "Places",
            "BlockingDestination",
            "OutcomeReporter",
            "OutcomeHandler",
            "SettleBuffer",
            "JdbcRelayStore",
            "RowWriter");

    /** The message itself, as an event, as a row, as a name, and how it ended. */
    private static final Set<String> FORMS = Set.of(
            "OutboxMessage",
            "CloudEventAttributes",
            "OutboxRow",
            "RowRef",
            "TrackedMessage",
            "Line",
            "Outcome",
            "RowOutcome",
            "Fetched");

    private static final Set<String> TOOLS =
            Set.of("SqlList", "SqlStatement", "RowListPredicate", "SendSpans", "OverdueWatch");

    private static final Set<String> ENTERED = ConcurrentHashMap.newKeySet();

    @Test
    void aMessageEntersFewClassesBetweenEnqueueAndDelete() throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:walk;DB_CLOSE_DELAY=-1");
        OutboxStore store =
                H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
        List<OutboxMessage> arrived = new CopyOnWriteArrayList<>();
        Destination destination = Destination.blocking("list", arrived::add);
        try (Relay relay = Relay.withDefaults(store, destination)) {
            relay.drainOnce();
            ResettableClassFileTransformer recorder = record();
            write(dataSource, Outbox.withDefaults(store));
            relay.drainOnce();
            recorder.reset(ByteBuddyAgent.getInstrumentation(), RedefinitionStrategy.RETRANSFORMATION);
        }

        assertThat(arrived).hasSize(1);
        assertThat(store.stats().undelivered()).isZero();
        assertThat(ENTERED).containsExactlyInAnyOrderElementsOf(ROOMS);
    }

    @Test
    void theArchitecturePageDrawsTheSameWalk() throws IOException {
        String page = Files.readString(Path.of("../../docs/architecture.md"));
        String walk = page.substring(page.indexOf("### The walk"), page.indexOf("An outage closes"));
        List<String> drawn = Pattern.compile("`([A-Z][A-Za-z0-9]+)`")
                .matcher(walk.substring(walk.indexOf("| step |"), walk.lastIndexOf("|\n")))
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList();

        assertThat(drawn).containsExactlyElementsOf(ROOMS);
    }

    private static void write(DataSource dataSource, Outbox outbox) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            outbox.enqueue(
                    connection,
                    OutboxMessage.builder("orders")
                            .key("order-1")
                            .type("OrderPlaced")
                            .build());
            connection.commit();
        }
    }

    private static ResettableClassFileTransformer record() {
        return new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(RedefinitionStrategy.RETRANSFORMATION)
                .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
                .type(nameStartsWith("dev.postrider.")
                        .and(not(nameStartsWith("dev.postrider.architecture.")))
                        .and(not(isInterface()))
                        .and(not(isSubTypeOf(Record.class))))
                .transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(MethodEntry.class)
                        .on(isMethod()
                                .or(isConstructor())
                                .and(not(isAbstract()))
                                .and(not(isSynthetic())))))
                .installOn(ByteBuddyAgent.install());
    }

    private static boolean isMessage(Object argument) {
        if (argument instanceof Optional<?> optional) {
            return optional.filter(MessageWalkTest::isMessage).isPresent();
        }
        if (argument instanceof Map<?, ?> map) {
            return isMessage(map.keySet()) || isMessage(map.values());
        }
        if (argument instanceof Iterable<?> many) {
            return many.iterator().hasNext() && isMessage(many.iterator().next());
        }
        String type = argument == null ? "" : argument.getClass().getName();
        return type.startsWith("dev.postrider.")
                && FORMS.contains(type.endsWith("$Fetched") ? "Fetched" : nameOf(type));
    }

    /** Public, since it is called from the classes that are recorded. */
    public static final class Rooms {

        private Rooms() {}

        public static void entered(String type, Object[] arguments) {
            String room = nameOf(type);
            boolean isRoom =
                    ROOMS.contains(room) || !(FORMS.contains(room) || TOOLS.contains(room) || isInInterface(type));
            if (isRoom && Arrays.stream(arguments).anyMatch(MessageWalkTest::isMessage)) {
                ENTERED.add(room);
            }
        }
    }

    private static boolean isInInterface(String type) {
        try {
            return Class.forName(type.replaceFirst("\\$.*", "")).isInterface();
        } catch (ClassNotFoundException unknown) {
            throw new IllegalStateException(unknown);
        }
    }

    /** The class that a reader opens. */
    private static String nameOf(String type) {
        return type.substring(type.lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
    }

    /** What is written into each method. */
    static final class MethodEntry {

        private MethodEntry() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.Origin("#t") String type, @Advice.AllArguments Object[] arguments) {
            Rooms.entered(type, arguments);
        }
    }
}
