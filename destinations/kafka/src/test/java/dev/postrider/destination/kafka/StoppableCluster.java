package dev.postrider.destination.kafka;

import static java.util.Objects.requireNonNull;

import dev.postrider.testservers.KafkaCluster;
import dev.postrider.testservers.PrivateKafka;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/** Three brokers that check the rights of an account: one cluster for all tests of this JVM; it ends with the build. */
final class StoppableCluster {

    private static final String USER = "orders-relay";
    private static final String PASSWORD = "secret";

    private static @Nullable KafkaCluster started;

    private StoppableCluster() {}

    /** All its brokers run, also if the test before left one stopped. */
    static synchronized KafkaCluster cluster() {
        if (started == null) {
            started = KafkaCluster.start(
                    3,
                    Map.of(
                            "authorizer.class.name",
                            "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                            "super.users",
                            "User:ANONYMOUS",
                            "listener.name.sasl.plain.sasl.jaas.config",
                            "org.apache.kafka.common.security.plain.PlainLoginModule required user_%s=\"%s\";"
                                    .formatted(USER, PASSWORD)));
        }
        started.nodes().stream().filter(node -> !node.isRunning()).forEach(PrivateKafka::restart);
        return started;
    }

    /** With the rights of the account only. */
    static KafkaDestinationBuilder destination() {
        String servers = cluster().nodes().stream()
                .map(node -> node.host() + ":" + node.saslPort())
                .collect(Collectors.joining(","));
        return KafkaDestination.builder("kafka", servers).properties(KafkaFixture.sasl(USER, PASSWORD));
    }

    static void grant(String topic) throws Exception {
        try (Admin admin = admin()) {
            admin.createAcls(List.of(right(topic, AclOperation.WRITE), right(topic, AclOperation.DESCRIBE)))
                    .all()
                    .get();
        }
    }

    /** It may still see the topic, but no longer write to it. */
    static void revoke(String topic) throws Exception {
        try (Admin admin = admin()) {
            admin.deleteAcls(List.of(right(topic, AclOperation.WRITE).toFilter()))
                    .all()
                    .get();
        }
    }

    private static AclBinding right(String topic, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry("User:" + USER, "*", operation, AclPermissionType.ALLOW));
    }

    static synchronized Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", requireNonNull(started).bootstrapServers()));
    }
}
