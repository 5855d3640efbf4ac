package dev.postrider.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One Kafka node, broker and controller at once. */
record KafkaNode(int id, KafkaPorts ports) {
    private static final String CLUSTER = "cG9zdHJpZGVyLXRlc3RzMQ";
    private static final String HOST = "127.0.0.1";

    /** Makes its data directory ready and returns the command that runs it in the foreground. */
    List<String> prepare(Installation java, Path data, List<KafkaNode> all, Map<String, String> settings) {
        Path file = data.resolve("server.properties");
        try {
            Files.createDirectories(data);
            Files.writeString(file, text(properties(data, all, settings)));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Command.run(KafkaProgram.command(
                java, "kafka.tools.StorageTool", "format", "--cluster-id", CLUSTER, "--config", file.toString()));
        return KafkaProgram.command(java, "kafka.Kafka", file.toString());
    }

    private static String text(Map<String, String> properties) {
        return properties.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private Map<String, String> properties(Path data, List<KafkaNode> all, Map<String, String> settings) {
        var properties = new LinkedHashMap<String, String>();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", Integer.toString(id));
        properties.put("log.dirs", data.resolve("log").toString());
        properties.put(
                "controller.quorum.voters", all.stream().map(KafkaNode::vote).collect(Collectors.joining(",")));
        addListeners(properties);
        addSecurity(properties);
        addHabits(properties, all.size());
        properties.putAll(settings);
        return properties;
    }

    private String vote() {
        return "%d@%s:%d".formatted(id, HOST, ports.controller());
    }

    private void addListeners(Map<String, String> properties) {
        String clients = "PLAIN://%1$s:%2$d,TLS://%1$s:%3$d,SASL://%1$s:%4$d,PROXIED://%1$s:"
                .formatted(HOST, ports.plain(), ports.tls(), ports.sasl());
        properties.put(
                "listeners", clients + ports.proxied() + ",CONTROLLER://%s:%d".formatted(HOST, ports.controller()));
        properties.put("advertised.listeners", clients + ports.advertised());
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("inter.broker.listener.name", "PLAIN");
        properties.put(
                "listener.security.protocol.map",
                "PLAIN:PLAINTEXT,TLS:SSL,SASL:SASL_PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT");
    }

    private void addSecurity(Map<String, String> properties) {
        BrokerAddress account = BrokerAddress.local(BrokerKind.KAFKA, ports.sasl());
        properties.put(
                "ssl.keystore.location",
                TestCertificate.forThisMachine().keyStore().toString());
        properties.put("ssl.keystore.type", "PKCS12");
        properties.put("ssl.keystore.password", TestCertificate.STORE_PASSWORD);
        properties.put("ssl.key.password", TestCertificate.STORE_PASSWORD);
        properties.put("sasl.enabled.mechanisms", "PLAIN");
        properties.put(
                "listener.name.sasl.plain.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required user_%s=\"%s\";"
                        .formatted(account.user(), account.password()));
    }

    /** Small, quick to notice a dead neighbour, and nothing made by accident. */
    private static void addHabits(Map<String, String> properties, int nodes) {
        String copies = Integer.toString(nodes);
        String majority = Integer.toString(nodes / 2 + 1);
        properties.put("auto.create.topics.enable", "false");
        properties.put("default.replication.factor", copies);
        properties.put("min.insync.replicas", majority);
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            properties.put(topic + ".replication.factor", copies);
        }
        properties.put("transaction.state.log.min.isr", majority);
        properties.put("share.coordinator.state.topic.min.isr", majority);
        properties.put("offsets.topic.num.partitions", "1");
        properties.put("transaction.state.log.num.partitions", "1");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("broker.session.timeout.ms", "3000");
        properties.put("broker.heartbeat.interval.ms", "500");
    }
}
