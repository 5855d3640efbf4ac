package dev.postrider.prove.run;

import dev.postrider.prove.broker.ProofBroker;
import dev.postrider.prove.server.DatabaseLink;
import dev.postrider.prove.server.ProofSite;
import dev.postrider.servers.BrokerLink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The relays of a proof. Close it, which lets them end cleanly. Not thread-safe. */
final class RelayProcesses implements AutoCloseable {

    private final List<ProvenRelay> relays = new ArrayList<>();
    private final Optional<BrokerLink> brokerLink;

    RelayProcesses(ProofSettings settings, ProofSite site, ProofBroker broker, List<String> command, Path directory) {
        this.brokerLink = site.linkToBroker();
        Map<String, String> destination =
                broker.configuration(brokerLink.map(BrokerLink::uri).orElse(site.brokerUri()));
        for (int number = 1; number <= settings.relays(); number++) {
            DatabaseLink link = DatabaseLink.to(site.database());
            RelayConfiguration configuration =
                    new RelayConfiguration(ProofOutbox.of(settings), database(site, link), destination);
            Path file = directory.resolve("relay-%d.yaml".formatted(number));
            configuration.write(file);
            List<String> words = new ArrayList<>(command);
            words.add(file.toString());
            Path log = directory.resolve("relay-%d.log".formatted(number));
            ChildProcess process = new ChildProcess("relay " + number, words, configuration.environment(), log);
            relays.add(new ProvenRelay(process, link));
        }
    }

    private static Map<String, String> database(ProofSite site, DatabaseLink link) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("url", link.url());
        site.database().user().ifPresent(user -> settings.put("user", user));
        site.database().password().ifPresent(password -> settings.put("password", password.reveal()));
        return settings;
    }

    List<ProvenRelay> relays() {
        return relays;
    }

    /** Empty if the broker leads its clients past any proxy. */
    Optional<BrokerLink> brokerLink() {
        return brokerLink;
    }

    void restartEnded() {
        relays.forEach(relay -> relay.process().restartIfEnded());
    }

    @Override
    public void close() {
        relays.forEach(ProvenRelay::close);
        brokerLink.ifPresent(BrokerLink::close);
    }
}
