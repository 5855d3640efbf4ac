package dev.postrider.destination.nats;

import dev.postrider.internal.SafeText;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** The checked options of a destination; see {@link NatsDestinationBuilder} for their meaning. */
record NatsOptions(
        String name,
        List<String> servers,
        String user,
        String password,
        Optional<SSLContext> tls,
        Optional<StreamConfiguration> streamToCreate,
        int maxInFlight,
        Duration deliveryTimeout,
        Duration connectTimeout,
        Consumer<Options.Builder> customizer) {

    NatsOptions {
        if (tls.isEmpty() && ServerUrls.wantTls(servers)) {
            // By itself, the client would encrypt for such a URL, but not look whose certificate it is.
            tls = Optional.of(HostCheckingTls.standard());
        }
    }

    /** The servers without user names, passwords and tokens that their URLs may hold. */
    List<String> serversForPeople() {
        return servers.stream().map(SafeText::address).toList();
    }

    /** A text of the client, which may quote the servers' URLs, without secrets. */
    String forPeople(String text) {
        String safe = text;
        for (String url : servers) {
            safe = safe.replace(url, SafeText.address(url));
        }
        return SafeText.of(safe);
    }

    /** No password in it. */
    @Override
    public String toString() {
        return "NatsOptions[name=" + name + ", servers=" + serversForPeople() + ", user=" + user + "]";
    }
}
