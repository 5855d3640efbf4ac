package dev.postrider.testkit;

import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.spi.Destination;
import java.time.Duration;
import java.util.List;

/** A broker as {@link BrokerContract} needs it: reached in several ways, and one that can be stopped. */
public interface BrokerFixture extends DestinationFixture {

    /** Which broker a test needs. */
    enum Setup {
        /** One that other tests use too. */
        SHARED,
        /** One of its own, which it stops and starts. */
        OWN
    }

    /** How a destination reaches the broker. */
    enum Access {
        /** As usual. */
        PLAIN,
        /** Through {@link #proxy()}. */
        PROXY,
        /** By TLS, trusting the broker's self-signed certificate. */
        TLS,
        /** By TLS, not trusting the certificate. */
        TLS_NOT_TRUSTED,
        /** With a password that the broker refuses. */
        WRONG_PASSWORD;

        /**
         * A good delivery time-out: long where the broker answers, so that a busy machine fails nothing, and a few seconds where
         * tests wait for its end.
         */
        public Duration deliveryTimeout() {
            return this == PLAIN || this == TLS ? Duration.ofSeconds(20) : Duration.ofSeconds(4);
        }
    }

    /** The password that {@link Access#WRONG_PASSWORD} uses; no text may show it. */
    String WRONG_PASSWORD = "wrong-secret";

    /** A new destination of that kind, which the contract closes; it need not reach the broker now. */
    Destination open(Access access);

    @Override
    default Destination open() {
        return open(Access.PLAIN);
    }

    /** What stands between a destination of {@link Access#PROXY} and the broker. */
    TcpFaultProxy proxy();

    /** How many payload bytes are surely too many for the broker or the destination. */
    int tooManyBytes();

    /** Topics that are well formed but lead nowhere: a missing topic, an exchange without queue, a subject without stream. */
    List<String> topicsThatLeadNowhere();

    /** Makes the first of {@link #topicsThatLeadNowhere} lead somewhere. */
    void repair(String topic);

    /** Shuts the broker down and returns when it is gone; only with {@link Setup#OWN}. */
    void stopBroker();

    /** Returns when the topics made so far would survive a kill: some brokers write them to disk with a delay. */
    default void keepTopics() {}

    /** Kills the broker without farewell and returns when it is gone; only with {@link Setup#OWN}. */
    void killBroker();

    /** Starts the broker again with its data and returns when it accepts messages; only with {@link Setup#OWN}. */
    void startBroker();
}
