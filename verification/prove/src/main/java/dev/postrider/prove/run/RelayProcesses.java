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
import java.util.concurrent.CopyOnWriteArrayList;

/** The relays of a proof. Close it, which lets them end cleanly. Not thread-safe. */
final class RelayProcesses implements AutoCloseable {

    private final List<RelayProcess> relays = new CopyOnWriteArrayList<>();
    private final Optional<BrokerLink> brokerLink;

    /** Relays must not outlive a proof that is ended from outside. */
    private final Thread atExit = new Thread(() -> relays.forEach(RelayProcess::kill), "prove-end");

    RelayProcesses(ProofSettings settings, ProofSite site, ProofBroker broker, List<String> command, Path directory) {
        this.brokerLink = site.linkToBroker();
        Runtime.getRuntime().addShutdownHook(atExit);
        Map<String, String> destination =
                broker.configuration(brokerLink.map(BrokerLink::uri).orElse(site.brokerUri()));
        for (int number = 1; number <= settings.relays(); number++) {
            DatabaseLink link = DatabaseLink.to(site.database());
            RelayConfiguration configuration =
                    new RelayConfiguration(settings.name(), database(site, link), destination);
            Path file = directory.resolve("relay-%d.yaml".formatted(number));
            configuration.write(file);
            List<String> words = new ArrayList<>(command);
            words.add(file.toString());
            Path log = directory.resolve("relay-%d.log".formatted(number));
            relays.add(new RelayProcess(number, link, words, configuration.environment(), log));
        }
    }

    private static Map<String, String> database(ProofSite site, DatabaseLink link) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("url", link.url());
        site.database().user().ifPresent(user -> settings.put("user", user));
        site.database().password().ifPresent(password -> settings.put("password", password.reveal()));
        return settings;
    }

    List<RelayProcess> relays() {
        return relays;
    }

    /** Empty if the broker leads its clients past any proxy. */
    Optional<BrokerLink> brokerLink() {
        return brokerLink;
    }

    void restartEnded() {
        relays.forEach(RelayProcess::restartIfEnded);
    }

    @Override
    public void close() {
        relays.forEach(RelayProcess::close);
        Runtime.getRuntime().removeShutdownHook(atExit);
        brokerLink.ifPresent(BrokerLink::close);
    }
}
