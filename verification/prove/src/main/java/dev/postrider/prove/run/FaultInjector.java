package dev.postrider.prove.run;

import dev.postrider.prove.Pause;
import dev.postrider.prove.server.ProofSite;
import dev.postrider.servers.BrokerLink;
import dev.postrider.servers.RestartableServer;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.servers.TcpFaultProxy.Direction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Makes one fault after the other, each to its end. Not thread-safe. */
final class FaultInjector {

    private static final Duration BEFORE_RESTART = Duration.ofMillis(500);
    private static final Duration OUTAGE = Duration.ofSeconds(3);
    private static final Duration HANG = Duration.ofMillis(1_500);
    private static final Duration CUT_OFF = Duration.ofMillis(1_500);

    /** Long enough that others have taken over and delivered before the stopped one goes on. */
    private static final Duration STOP = RelayConfiguration.LEASE.multipliedBy(2);

    private final ProofSite site;
    private final List<ProvenRelay> relays;
    private final Optional<BrokerLink> brokerLink;

    FaultInjector(ProofSite site, List<ProvenRelay> relays, Optional<BrokerLink> brokerLink) {
        this.site = site;
        this.relays = relays;
        this.brokerLink = brokerLink;
    }

    /** Returns, when it is over, what was done. */
    String strike(FaultPlan.Step step) {
        ProvenRelay relay = relays.get(step.choice() % relays.size());
        return switch (step.fault()) {
            case KILL -> kill(relay.process());
            case STOP -> stop(relay.process());
            case OUTAGE -> crash(site.brokerServer(), OUTAGE);
            case DB_RESTART -> crash(site.databaseServer(), BEFORE_RESTART);
            case CUT -> cut(relay, step.choice());
        };
    }

    private static String kill(ChildProcess relay) {
        relay.kill();
        Pause.of(BEFORE_RESTART);
        relay.restart();
        return "killed " + relay;
    }

    private static String stop(ChildProcess relay) {
        relay.freeze();
        Pause.of(STOP);
        relay.thaw();
        return "stopped %s for %d ms".formatted(relay, STOP.toMillis());
    }

    private static String crash(RestartableServer server, Duration down) {
        server.killHard();
        Pause.of(down);
        server.restart();
        return "killed and restarted " + server.description();
    }

    private String cut(ProvenRelay relay, int choice) {
        boolean atBroker = brokerLink.isPresent() && choice / relays.size() % 2 == 0;
        cut(atBroker ? brokerLink.get().proxy() : relay.link().proxy());
        return atBroker ? "cut all relays from the broker" : "cut " + relay.process() + " from the database";
    }

    /** What the server answers is lost first, then the connections, and for a while there are no new ones. */
    private static void cut(TcpFaultProxy proxy) {
        proxy.hold(Direction.TO_CLIENT);
        Pause.of(HANG);
        proxy.refuse();
        proxy.resetAll();
        Pause.of(CUT_OFF);
        proxy.heal();
    }
}
