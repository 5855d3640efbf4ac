package dev.postrider.destination.kafka;

import dev.postrider.internal.Range;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;

/** How missing topics are made. */
record TopicCreation(int partitions, short replicationFactor) {

    TopicCreation {
        Range.of("partitions", partitions, 1, 100_000);
        Range.of("replicationFactor", replicationFactor, 1, 100);
    }

    NewTopic newTopic(String name) {
        return new NewTopic(name, Optional.of(partitions), Optional.of(replicationFactor));
    }
}
