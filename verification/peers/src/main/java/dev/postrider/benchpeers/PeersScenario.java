package dev.postrider.benchpeers;

import dev.postrider.bench.BenchContext;
import dev.postrider.bench.Contest;
import dev.postrider.bench.Scenario;
import dev.postrider.bench.Size;
import dev.postrider.bench.measure.Measurement;
import dev.postrider.bench.measure.Round;
import dev.postrider.bench.measure.Rounds;
import dev.postrider.bench.measure.RoundsBySubject;
import dev.postrider.service.database.DatabaseKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A backlog to nowhere by what Java users would pick instead, each by its own API: one line for each, and one for each ratio. */
public final class PeersScenario implements Scenario {

    private final List<Peer> peers;

    /** With all peers. */
    public PeersScenario() {
        this(all());
    }

    /** All that are measured, with Postrider as the last. */
    static List<Peer> all() {
        return List.of(
                new GruelboxPeer(),
                new NamastackPeer(),
                new ModulithPeer(),
                new JobrunrPeer(),
                new DbSchedulerPeer(),
                new SkipLockedPeer(),
                new PostriderPeer());
    }

    /** With these peers; the last one is compared with each of the others. */
    PeersScenario(List<Peer> peers) {
        this.peers = peers;
    }

    @Override
    public Summary summary() {
        return new Summary(
                "peers",
                "a backlog to nowhere, against the libraries that Java users would pick instead",
                new Size(100_000, 512, 3),
                new Size(40_000, 512, 5));
    }

    /** Three minutes are the limit for all. */
    @Override
    public Duration quickTime() {
        return Duration.ofSeconds(120);
    }

    @Override
    public boolean runsOn(DatabaseKind kind) {
        return kind == DatabaseKind.POSTGRES || kind == DatabaseKind.MYSQL || kind == DatabaseKind.MARIADB;
    }

    @Override
    public List<Measurement> run(BenchContext context) throws Exception {
        List<Peer> running = peers.stream()
                .filter(peer -> peer.runsOn(context.database().kind()))
                .toList();
        PeerMessages messages = new PeerMessages(context.size().bytes(), context.seed());
        Map<String, PeerRound> last = new HashMap<>();
        Contest contest = new Contest(context);
        for (Peer peer : running) {
            contest.subject(peer.name(), most -> {
                int count = Math.max(10, most / peer.divisor());
                PeerRound round = PeerDrain.run(peer, context.database(), messages, count);
                last.put(peer.name(), round);
                return new Round(round.rate(), count, round.delivered(), round.span());
            });
        }
        return lines(running, contest.run(), last);
    }

    private static List<Measurement> lines(List<Peer> peers, RoundsBySubject rounds, Map<String, PeerRound> last) {
        List<Measurement> lines = new ArrayList<>(UnavailablePeers.lines());
        for (Peer peer : peers) {
            lines.add(line(peer, rounds.of(peer.name()), last.get(peer.name())));
        }
        Measurement own = lines.remove(lines.size() - 1);
        for (Peer peer : peers.subList(0, peers.size() - 1)) {
            lines.add(own.comparedWith(rounds.of(own.subject()).medianRatioTo(rounds.of(peer.name())), peer.name()));
        }
        return lines;
    }

    private static Measurement line(Peer peer, Rounds rounds, PeerRound last) {
        return rounds.measured(peer.name())
                .with("enqueue_rate", last.enqueueRate())
                .with("repeats", last.repeats())
                .with("version", peer.version())
                .with("settings", peer.settings());
    }

    /** Peers that were to be measured and cannot be, each with the reason. Stateless. */
    private static final class UnavailablePeers {

        private UnavailablePeers() {}

        static List<Measurement> lines() {
            return List.of(Measurement.of("tw-tkms", 0, 0, 0)
                    .with("not_run", "needs ZooKeeper: its leader selection is Curator's, and it sends to Kafka only"));
        }
    }
}
