package dev.postrider;

import dev.postrider.message.MessageLimits;
import dev.postrider.message.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.testkit.InMemoryOutboxStore;
import dev.postrider.testkit.RecordingDestination;
import dev.postrider.testkit.TestClock;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An outbox over a store in memory, and what its tests share. */
abstract class OutboxFixture {

    final TestClock clock = new TestClock();
    final InMemoryOutboxStore store = new InMemoryOutboxStore(4, clock, false, MessageLimits.defaults());
    final Outbox outbox = Outbox.withDefaults(store);
    final List<String> wakeUps = new ArrayList<>();

    static OutboxMessage.Builder message() {
        return OutboxMessage.builder("t").key("k").type("x");
    }

    Connection open() throws SQLException {
        Connection connection = store.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    void listen() {
        store.wakeSignal().listen(() -> wakeUps.add(outbox.stats().undelivered() + " undelivered"));
    }

    /** What a relay delivers now. */
    List<OutboxMessage> delivered() {
        RecordingDestination destination = new RecordingDestination("broker");
        Relay.withDefaults(store, destination).drainOnce();
        return destination.delivered();
    }

    /** A connection that notes its calls and fails where it should. */
    static Connection connection(Map<String, ? extends Throwable> failures, List<String> calls) {
        Map<String, Throwable> byCall = new HashMap<>(failures);
        return (Connection) Proxy.newProxyInstance(
                OutboxFixture.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    String call = method.getName() + (arguments == null ? "" : " " + arguments[0]);
                    calls.add(call);
                    if (byCall.containsKey(call)) {
                        throw byCall.get(call);
                    }
                    return method.getReturnType() == boolean.class ? true : null;
                });
    }
}
