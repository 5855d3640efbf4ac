package dev.postrider.servers;

/** A broker that was started for a proof or a benchmark. */
public interface StartedBroker extends RestartableServer {

    /** As on the command line: {@code kafka://host:port}, {@code amqp://user:password@host:port} or {@code nats://…}. */
    String uri();

    /** Where clients find it through a network that can be cut. */
    BrokerLink cuttableLink();
}
