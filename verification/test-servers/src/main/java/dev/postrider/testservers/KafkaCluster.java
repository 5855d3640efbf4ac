package dev.postrider.testservers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Several Kafka nodes for one test alone. Topics have a copy on every node unless told otherwise, and a write needs a
 * majority of them. Close it to end all nodes and delete their data.
 */
public final class KafkaCluster implements AutoCloseable {
    private final List<PrivateKafka> nodes;

    private KafkaCluster(List<PrivateKafka> nodes) {
        this.nodes = nodes;
    }

    /** Starts that many nodes and returns when all take clients. */
    public static KafkaCluster start(int size) {
        return start(size, Map.of());
    }

    /**
     * The same with other settings.
     *
     * @param settings properties of the brokers that replace or add to the usual ones
     */
    public static KafkaCluster start(int size, Map<String, String> settings) {
        Installation java = KafkaProgram.fromMaven();
        List<KafkaNode> all = IntStream.rangeClosed(1, size)
                .mapToObj(id -> new KafkaNode(id, KafkaPorts.pick(FreePort.pick(), FreePort.pick())))
                .toList();
        List<PrivateKafka> nodes = new ArrayList<>();
        for (KafkaNode node : all) {
            ServerDirectory directory = BuildDirectory.current().fresh("kafka");
            List<String> command = node.prepare(java, directory.data(), all, settings);
            var instance = new ProcessInstance(java, directory, command, new EndSignals("TERM", "KILL"));
            nodes.add(new PrivateKafka(java.origin(), instance, node.ports()));
        }
        // At once: a node alone finds no majority and takes no clients.
        nodes.stream()
                .map(node -> CompletableFuture.runAsync(node::start))
                .toList()
                .forEach(CompletableFuture::join);
        System.err.println("Test server: " + nodes + " (private)");
        return new KafkaCluster(List.copyOf(nodes));
    }

    public List<PrivateKafka> nodes() {
        return nodes;
    }

    /** All nodes, for clients without encryption or account. */
    public String bootstrapServers() {
        return nodes.stream().map(PrivateKafka::bootstrapServers).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        nodes.forEach(PrivateKafka::close);
    }
}
