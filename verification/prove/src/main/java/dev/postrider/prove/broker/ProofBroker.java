package dev.postrider.prove.broker;

import dev.postrider.prove.ProofException;
import dev.postrider.prove.check.Arrival;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A broker with a place of its own for one proof: a topic, an exchange with a queue, or a stream. Independent of the code
 * under proof. Not thread-safe.
 */
public interface ProofBroker {

    /**
     * The broker at this address.
     *
     * @param name what the place is called there: letters, digits and underscores
     */
    static ProofBroker at(String uri, String name) {
        return switch (scheme(uri)) {
            case "kafka" -> new KafkaProofBroker(uri.substring("kafka://".length()), name);
            case "amqp", "amqps" -> new RabbitmqProofBroker(uri, name);
            case "nats", "tls" -> new NatsProofBroker(uri, name);
            default ->
                throw new ProofException("The destination is none that can be read back; expected kafka://host:port,"
                        + " amqp://user:password@host:port or nats://host:port");
        };
    }

    private static String scheme(String uri) {
        try {
            return uri.contains("://") ? new URI(uri).getScheme().toLowerCase(Locale.ROOT) : "";
        } catch (URISyntaxException invalid) {
            // Not as the cause: its text quotes the address, and with it the password.
            throw new ProofException("The address of the destination is not valid (" + invalid.getReason()
                    + "); write characters such as space, ^, @, / and % in a password as %20, %5E, %40, %2F, %25");
        }
    }

    /** Makes the place. */
    void prepare();

    /** Everything that lies there now, in the broker's order. May take it away, so ask once. */
    List<Arrival> readAll();

    /** Removes the place and all that lies there. */
    void remove();

    /**
     * The destination as a relay's configuration file describes it.
     *
     * @param uri the address that the relay shall use, which may lead through a proxy
     */
    Map<String, String> configuration(String uri);
}
