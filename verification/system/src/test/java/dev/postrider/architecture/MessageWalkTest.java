package dev.postrider.architecture;

import static net.bytebuddy.matcher.ElementMatchers.isAbstract;
import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/**
 * Who wants to know what happens to a message reads the classes that it enters, from {@code enqueue} to the delete of its row. They must
 * not become more.
 */
class MessageWalkTest {

    /** Those that have a method which is given the message, whatever form it has on the way. */
    private static final int ROOMS = 28;

    /** The message itself in its forms; where it is kept and how it ended. */
    private static final Set<String> FORMS = Set.of(
            "OutboxMessage",
            "OutboxRow",
            "RowRef",
            "TrackedMessage",
            "Line",
            "Outcome",
            "RowOutcome",
            "Fetched",
            "LaneScan");

    private static final Set<String> ENTERED = ConcurrentHashMap.newKeySet();

    @Test
    void aMessageEntersFewClassesBetweenEnqueueAndDelete() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:walk;DB_CLOSE_DELAY=-1");
        OutboxStore store =
                H2OutboxStore.builder(dataSource).schemaMode(SchemaMode.CREATE).build();
        List<OutboxMessage> arrived = new CopyOnWriteArrayList<>();
        Destination destination = Destination.blocking("list", arrived::add);
        try (Relay relay = Relay.withDefaults(store, destination)) {
            relay.drainOnce();
            ResettableClassFileTransformer recorder = record();
            Outbox outbox = Outbox.withDefaults(store);
            outbox.inTransaction(
                    dataSource,
                    tx -> tx.enqueue(OutboxMessage.builder("orders")
                            .key("order-1")
                            .type("OrderPlaced")
                            .build()));
            relay.drainOnce();
            recorder.reset(ByteBuddyAgent.getInstrumentation(), RedefinitionStrategy.RETRANSFORMATION);
        }

        assertThat(arrived).hasSize(1);
        assertThat(store.stats().undelivered()).isZero();
        assertThat(new TreeSet<>(ENTERED)).hasSizeLessThanOrEqualTo(ROOMS);
    }

    private static ResettableClassFileTransformer record() {
        return new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(RedefinitionStrategy.RETRANSFORMATION)
                .type(nameStartsWith("dev.postrider.").and(not(nameStartsWith("dev.postrider.architecture."))))
                .transform((builder, type, loader, module, domain) -> builder.visit(Advice.to(Entry.class)
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
        return type.startsWith("dev.postrider.") && FORMS.contains(nameOf(type));
    }

    /** Public, since it is called from the classes that are recorded. */
    public static final class Rooms {

        private Rooms() {}

        public static void entered(String type, Object[] arguments) {
            String room = nameOf(type);
            if (!FORMS.contains(room) && Arrays.stream(arguments).anyMatch(MessageWalkTest::isMessage)) {
                ENTERED.add(room);
            }
        }
    }

    /** The class that a reader opens. */
    private static String nameOf(String type) {
        return type.substring(type.lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
    }

    /** What is written into each method. */
    static final class Entry {

        private Entry() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.Origin("#t") String type, @Advice.AllArguments Object[] arguments) {
            Rooms.entered(type, arguments);
        }
    }
}
