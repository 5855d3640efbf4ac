package dev.postrider.service;

import dev.postrider.message.PostriderException;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.TopicSample;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The topics that go to each destination, as far as they are known: from the file, and from what waits in the outboxes. */
public final class KnownTopics {

    private final Map<String, Set<String>> byDestination = new LinkedHashMap<>();

    private KnownTopics() {}

    /** Those of these outboxes; one whose database cannot be read adds only what the file says. */
    public static KnownTopics of(ServiceConfig config, Collection<String> outboxes) {
        KnownTopics known = new KnownTopics();
        outboxes.forEach(name -> known.add(config.outbox(name)));
        return known;
    }

    private void add(OutboxConfig outbox) {
        Set<String> topics = new TreeSet<>(outbox.topics());
        topics.addAll(outbox.routes().exactTopics());
        try (OutboxDatabase opened = OutboxDatabase.open(outbox.database())) {
            topics.addAll(new TopicSample(opened.dataSource(), outbox.store()).read());
        } catch (PostriderException unreadable) {
            // Said where the outbox itself is examined.
        }
        topics.forEach(topic -> byDestination
                .computeIfAbsent(outbox.routes().destinationOf(topic), name -> new TreeSet<>())
                .add(topic));
    }

    /** In order. */
    public Collection<String> of(String destination) {
        return byDestination.getOrDefault(destination, Set.of());
    }
}
