package dev.postrider.benchpeers;

import dev.postrider.bench.measure.Measurement;
import java.util.List;

/** Peers that were to be measured and cannot be, each with the reason. Stateless. */
final class UnavailablePeers {

    private UnavailablePeers() {}

    static List<Measurement> lines() {
        return List.of(Measurement.of("tw-tkms", 0, 0, 0)
                .with("not_run", "needs ZooKeeper: its leader selection is Curator's, and it sends to Kafka only"));
    }
}
