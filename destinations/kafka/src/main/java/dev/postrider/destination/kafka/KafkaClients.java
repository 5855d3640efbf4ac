package dev.postrider.destination.kafka;

import static java.util.Objects.requireNonNull;

import dev.postrider.internal.LogThrottle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer and the admin client, made when they can be made.
 *
 * <p>Kafka's clients refuse to exist while the name of no server can be resolved, and an idempotent producer that met a fatal
 * error never works again. Neither may end a relay: both are recreated at the next use. Thread-safe.
 */
final class KafkaClients {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaClients.class);
    private final LogThrottle throttle = new LogThrottle(LOG);

    private final Map<String, Object> producerProperties;
    private final Map<String, Object> adminProperties;
    private volatile @Nullable SharedProducer producer;
    private @Nullable Admin admin;
    private boolean isClosed;

    KafkaClients(Map<String, Object> producerProperties, Map<String, Object> adminProperties) {
        this.producerProperties = producerProperties;
        this.adminProperties = adminProperties;
    }

    /**
     * Makes the clients, or fails if their properties are wrong. That no server's name can be resolved is no mistake but an
     * outage.
     */
    void open() {
        try {
            // Checks single values without looking for servers.
            ProducerConfig unused = new ProducerConfig(producerProperties);
            producer();
            admin();
        } catch (KafkaException failed) {
            if (failed.getCause() == null || canResolveServers()) {
                close(Duration.ZERO);
                throw new IllegalArgumentException(
                        "Kafka refuses its properties: " + KafkaFailures.root(failed), failed);
            }
            LOG.warn("No server of Kafka can be found yet: {}", failed.getMessage());
        }
    }

    private boolean canResolveServers() {
        try {
            return !ClientUtils.parseAndValidateAddresses(List.of(servers().split(",", 0)), "use_all_dns_ips")
                    .isEmpty();
        } catch (KafkaException unresolvable) {
            return false;
        }
    }

    private String servers() {
        return (String) requireNonNull(producerProperties.get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG));
    }

    /** Kafka does not say which name it cannot resolve. */
    private <T> T made(Supplier<T> client) {
        try {
            return client.get();
        } catch (KafkaException failed) {
            if (failed.getCause() == null || canResolveServers()) {
                throw failed;
            }
            throw new KafkaException("no address is known for " + servers() + "; check the host names", failed);
        }
    }

    SharedProducer producer() {
        SharedProducer current = producer;
        return current != null ? current : newProducer();
    }

    /** Whether this one is used no more: its failures say nothing about Kafka. */
    boolean isReplaced(SharedProducer former) {
        return producer != former;
    }

    private synchronized SharedProducer newProducer() {
        requireOpen();
        SharedProducer current = producer;
        if (current == null) {
            current = new SharedProducer(made(() -> new KafkaProducer<>(producerProperties)));
            producer = current;
        }
        return current;
    }

    synchronized Admin admin() {
        requireOpen();
        Admin current = admin;
        if (current == null) {
            current = made(() -> Admin.create(adminProperties));
            admin = current;
        }
        return current;
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("The destination is closed");
        }
    }

    /** Ends a producer that will never work again; the next use makes another. False if that has been done before. */
    boolean discard(SharedProducer broken) {
        synchronized (this) {
            if (producer != broken || isClosed) {
                return isClosed;
            }
            producer = null;
        }
        throttle.warn("fatal", "The Kafka producer met a fatal error and is replaced");
        close(broken.client, Duration.ZERO);
        return true;
    }

    /**
     * Ends a producer because a record failed that others must not pass; the next use makes another. Call it in the callback of that
     * record, on the producer's own thread: it sends nothing more then but what was on its way, and ends what it has as a failure.
     */
    synchronized void giveUp(SharedProducer failed, Exception reason) {
        if (producer != failed) {
            return;
        }
        producer = null;
        throttle.warn(
                "replaced",
                reason,
                "The Kafka producer is replaced, to keep the messages behind one that failed from passing it");
        // Within the lock, so that the next one registers its metrics after those of this one are gone. It waits for
        // nothing.
        close(failed.client, Duration.ZERO);
    }

    void forgetTopic(String topic) {
        SharedProducer current = producer;
        if (current != null) {
            current.forget(topic);
        }
    }

    /** Waits for outstanding records up to the time-out; then they fail. */
    void close(Duration timeout) {
        SharedProducer lastProducer;
        Admin lastAdmin;
        synchronized (this) {
            isClosed = true;
            lastProducer = producer;
            lastAdmin = admin;
        }
        if (lastProducer != null) {
            close(lastProducer.client, timeout);
        }
        if (lastAdmin != null) {
            lastAdmin.close(Duration.ZERO);
        }
    }

    /** It throws when its thread is interrupted, but lets go of everything before, and keeps the thread interrupted. */
    private void close(Producer<byte[], byte[]> ended, Duration timeout) {
        try {
            ended.close(timeout);
        } catch (KafkaException failed) {
            throttle.warn("close", failed, "Closing the Kafka producer failed");
        }
    }
}
