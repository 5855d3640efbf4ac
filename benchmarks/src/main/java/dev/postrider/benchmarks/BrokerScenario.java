package dev.postrider.benchmarks;

import dev.postrider.spi.Destination;
import java.util.List;

/** A backlog to a real broker, against the broker's own client that sends the same bytes from memory. */
final class BrokerScenario implements Scenario {

    private final String name;
    private final Start start;

    BrokerScenario(String name, Start start) {
        this.name = name;
        this.start = start;
    }

    @Override
    public List<Result> run(BenchOutbox outbox, Settings settings) throws Exception {
        Rounds relay = new Rounds();
        Rounds bare = new Rounds();
        try (BenchBroker broker = start.broker(settings.fast())) {
            for (int round = 0; round <= settings.rounds(); round++) {
                double byRelay = relay(outbox, broker, settings);
                double byClient = client(broker, settings);
                if (round > 0) {
                    relay.add(byRelay);
                    bare.add(byClient);
                }
            }
        }
        return List.of(
                Result.of(name, settings.store(), "bare-client", bare, settings.messages()),
                Result.of(name, settings.store(), "postrider", relay, settings.messages(), bare, "bare-client"));
    }

    private static double relay(BenchOutbox outbox, BenchBroker broker, Settings settings) throws Exception {
        outbox.seed(settings.messages(), settings.bytes());
        try (Destination destination = broker.destination()) {
            return RelayDrain.drain(outbox.store(), destination, settings.messages());
        } finally {
            outbox.requireEmpty();
            broker.clear();
        }
    }

    private static double client(BenchBroker broker, Settings settings) throws Exception {
        List<BareMessage> messages = BareMessage.list(settings.messages(), settings.bytes());
        Stretch stretch = new Stretch(settings.messages());
        broker.send(messages, stretch);
        broker.clear();
        return stretch.rate();
    }

    /** Starts a broker, or uses the one that tests share. */
    @FunctionalInterface
    interface Start {
        BenchBroker broker(boolean fast) throws Exception;
    }
}
