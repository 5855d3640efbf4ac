package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Check;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Finding;
import dev.postrider.spi.Finding.Severity;
import dev.postrider.spi.Health;
import dev.postrider.testkit.PlaceScenario;
import dev.postrider.testservers.KafkaServer;
import dev.postrider.testservers.PrivateKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What somebody can do who writes topics, on a broker that checks rights. */
class KafkaSecurityIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern PERMISSIONS = Pattern.compile("(?s)<!-- permissions -->\n```\n(.*?)```");
    private static final Pattern LINE = Pattern.compile(
            "kafka-acls (?:--bootstrap-server \\S+ --command-config \\S+ )?--add --allow-principal (\\S+)((?: --operation \\w+)+) --(topic|transactional-id) (\\S+)( --resource-pattern-type prefixed)?");

    private static PrivateKafka kafka;

    @BeforeAll
    static void startBrokerWithTheRightsOfTheGuide() throws Exception {
        kafka = KafkaServer.startPrivate(Map.of(
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users",
                "User:ANONYMOUS",
                "listener.name.sasl.plain.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required user_orders-relay=\"secret\";"));
        Matcher guide = PERMISSIONS.matcher(Files.readString(Path.of("../../docs/guides/kafka.md")));
        assertThat(guide.find()).isTrue();
        List<AclBinding> rights =
                guide.group(1).lines().flatMap(KafkaSecurityIT::rights).toList();
        assertThat(rights).hasSize(4);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createAcls(rights).all().get();
            admin.createTopics(Stream.of("orders", "billing", "_schemas")
                            .map(name -> new NewTopic(name, 1, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
    }

    private static Stream<AclBinding> rights(String command) {
        Matcher line = LINE.matcher(command);
        assertThat(line.matches()).as(command).isTrue();
        ResourcePattern resource = new ResourcePattern(
                line.group(3).equals("topic") ? ResourceType.TOPIC : ResourceType.TRANSACTIONAL_ID,
                line.group(4),
                line.group(5) == null ? PatternType.LITERAL : PatternType.PREFIXED);
        return Stream.of(line.group(2).strip().split("\\s*--operation "))
                .filter(operation -> !operation.isBlank())
                .map(operation -> AclOperation.valueOf(operation.strip().toUpperCase(Locale.ROOT)))
                .map(operation -> new AclBinding(
                        resource, new AccessControlEntry(line.group(1), "*", operation, AclPermissionType.ALLOW)));
    }

    @AfterAll
    static void stopBroker() {
        kafka.close();
    }

    private static KafkaDestinationBuilder relay() {
        return KafkaDestination.builder("kafka", kafka.host() + ":" + kafka.saslPort())
                .properties(KafkaFixture.sasl("orders-relay", "secret"))
                .closeTimeout(Duration.ofSeconds(2));
    }

    private static DeliveryResult send(KafkaDestinationBuilder builder, String topic) {
        try (Destination destination = builder.build()) {
            CompletableFuture<DeliveryResult> sending = destination
                    .send(OutboxMessage.builder(topic).type("t").build())
                    .toCompletableFuture();
            assertThat(sending).succeedsWithin(SOON);
            return sending.join();
        }
    }

    @Test
    void theRightsOfTheGuideAreEnough() throws Exception {
        assertThat(send(relay(), "orders")).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(send(relay().fencing("orders-outbox"), "orders")).isEqualTo(DeliveryResult.DELIVERED);
        try (Destination destination = relay().build()) {
            assertThat(destination.healthCheck()).isEqualTo(Health.UP);
            for (Check check : destination.checks(List.of("orders"))) {
                assertThat(check.run()).extracting(Finding::severity).doesNotContain(Severity.ERROR);
            }
        }
    }

    @Test
    void theRightsOfTheGuideAllowNoMore() {
        assertThat(send(relay(), "billing")).isInstanceOf(Failed.class);
        assertThat(send(relay().allowInternalTopics(), "_schemas")).isInstanceOf(Failed.class);
        assertThat(send(relay().createTopics(1, 1), "made-up")).isInstanceOf(Failed.class);
    }

    @Test
    void messagesOfAForbiddenTopicWaitUntilTheRightIsGranted() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
                Destination destination = relay().build()) {
            admin.createTopics(List.of(new NewTopic("granted-later", 1, (short) 1)))
                    .all()
                    .get();

            PlaceScenario.run(
                    destination,
                    "granted-later",
                    "orders",
                    () -> admin.createAcls(rights(
                                    "kafka-acls --add --allow-principal User:orders-relay --operation Write --operation Describe --topic granted-later")
                            .toList()));
        }
    }

    @Test
    void sendsToTopicsOfToolsOnlyWhereThatIsAllowed() {
        KafkaDestinationBuilder administrator = KafkaDestination.builder("kafka", kafka.bootstrapServers());

        assertThat(send(administrator, "_schemas")).isInstanceOf(Reject.class);
        assertThat(send(administrator.allowInternalTopics(), "_schemas")).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(send(administrator.allowInternalTopics(), "__consumer_offsets"))
                .isInstanceOf(Failed.class);
    }
}
