package dev.postrider.destination.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postrider.message.OutboxMessage;
import dev.postrider.spi.Check;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.DeliveryResult.Failed;
import dev.postrider.spi.DeliveryResult.Outage;
import dev.postrider.spi.DeliveryResult.Reject;
import dev.postrider.spi.Destination;
import dev.postrider.spi.Finding;
import dev.postrider.spi.Finding.Severity;
import dev.postrider.spi.Health;
import dev.postrider.testservers.NatsServer;
import dev.postrider.testservers.PrivateBroker;
import dev.postrider.testservers.TestCertificate;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What somebody can do who writes topics, listens to the network or reads the log. */
@SuppressWarnings("try") // Closing may be interrupted, which ends the test.
class NatsSecurityIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern PERMISSIONS = Pattern.compile("(?s)<!-- permissions -->\n```\n(.*?)```");

    private static PrivateBroker server;

    @BeforeAll
    static void startServerWithTheUserOfTheGuide() throws Exception {
        Matcher guide = PERMISSIONS.matcher(Files.readString(Path.of("../../docs/guides/nats.md")));
        assertThat(guide.find()).isTrue();
        server = NatsServer.startPrivate(guide.group(1), TestCertificate.forAnotherHost());
        try (Connection connection = connect()) {
            connection
                    .jetStreamManagement()
                    .addStream(StreamConfiguration.builder()
                            .name("ORDERS")
                            .subjects("orders.>", "$KV.orders.>")
                            .build());
        }
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static Connection connect() throws IOException, InterruptedException {
        return Nats.connect(url("nats", server.user(), server.password()));
    }

    private static String url(String scheme, String user, String password) {
        return scheme + "://" + user + ":" + password + "@" + server.host() + ":" + server.port();
    }

    private static NatsDestinationBuilder relay() {
        return NatsDestination.builder("nats")
                .servers("nats://" + server.host() + ":" + server.port())
                .credentials("orders-relay", "change-me")
                .deliveryTimeout(Duration.ofSeconds(4));
    }

    private static NatsDestinationBuilder administrator(String scheme) {
        return NatsDestination.builder("nats").servers(url(scheme, server.user(), server.password()));
    }

    private static DeliveryResult send(NatsDestinationBuilder builder, String topic) {
        try (Destination destination = builder.build()) {
            CompletableFuture<DeliveryResult> sending = destination
                    .send(OutboxMessage.builder(topic).type("t").build())
                    .toCompletableFuture();
            assertThat(sending).succeedsWithin(SOON);
            return sending.join();
        }
    }

    private static List<String> streams() throws Exception {
        try (Connection connection = connect()) {
            return connection.jetStreamManagement().getStreamNames();
        }
    }

    @Test
    void aTopicIsNoOrderToTheServer() throws Exception {
        DeliveryResult result = send(administrator("nats"), "$JS.API.STREAM.DELETE.ORDERS");

        assertThat(streams()).contains("ORDERS");
        assertThat(result).isInstanceOf(Reject.class);
        assertThat(((Failed) result).reason()).contains("$JS.API.STREAM.DELETE.ORDERS", "allowInternalTopics");
    }

    @Test
    void sendsToKeyValueBucketsWhereThatIsAllowed() {
        assertThat(send(administrator("nats"), "$KV.orders.a")).isInstanceOf(Reject.class);
        assertThat(send(administrator("nats").allowInternalTopics(), "$KV.orders.a"))
                .isEqualTo(DeliveryResult.DELIVERED);
    }

    @Test
    void thePermissionsOfTheGuideAreEnough() throws Exception {
        assertThat(send(relay(), "orders.placed")).isEqualTo(DeliveryResult.DELIVERED);
        assertThat(((Failed) send(relay().expectedStream("OTHER"), "orders.placed")).reason())
                .contains("expectedStream");
        try (Destination destination = relay().build()) {
            assertThat(destination.healthCheck()).isEqualTo(Health.UP);
            for (Check check : destination.checks(List.of("orders.placed"))) {
                assertThat(check.run()).extracting(Finding::severity).doesNotContain(Severity.ERROR);
            }
        }
    }

    @Test
    void thePermissionsOfTheGuideAllowNoMore() throws Exception {
        assertThat(send(relay(), "billing.paid")).isInstanceOf(Failed.class);
        assertThat(send(relay().allowInternalTopics(), "$JS.API.STREAM.DELETE.ORDERS"))
                .isInstanceOf(Failed.class);
        assertThat(streams()).contains("ORDERS");
    }

    @Test
    void doctorTellsWhichTopicsAreRejected() throws Exception {
        try (Destination destination = relay().build()) {
            List<Finding> findings = destination.checks(List.of("$JS.API.INFO", "with space")).stream()
                    .flatMap(check -> run(check).stream())
                    .toList();

            assertThat(findings).extracting(Finding::severity).containsOnly(Severity.ERROR);
            assertThat(findings.get(0).what()).contains("$JS.API.INFO");
        }
    }

    private static List<Finding> run(Check check) {
        try {
            return check.run();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void aTlsUrlChecksTheNameInTheCertificate() throws NoSuchAlgorithmException {
        SSLContext before = SSLContext.getDefault();
        SSLContext.setDefault(TestCertificate.forAnotherHost().trusting());
        try {
            DeliveryResult result = send(administrator("tls"), "orders.placed");

            assertThat(result).isInstanceOf(Outage.class);
            assertThat(((Failed) result).reason())
                    .contains("TLS", "127.0.0.1", "name")
                    .doesNotContain(server.password());
        } finally {
            SSLContext.setDefault(before);
        }
    }

    @Test
    void aTlsUrlNeedsNoMoreThanATrustedCertificate() throws NoSuchAlgorithmException {
        PrivateBroker usual = Server.server();
        SSLContext before = SSLContext.getDefault();
        SSLContext.setDefault(usual.certificate().trusting());
        try {
            String subject = Server.newSubjectWithStream();

            assertThat(send(Server.destination().servers("tls://localhost:" + usual.port()), subject))
                    .isEqualTo(DeliveryResult.DELIVERED);
        } finally {
            SSLContext.setDefault(before);
        }
    }

    @Test
    void refusesToTrustAnybody() {
        assertThatThrownBy(() -> administrator("opentls"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("opentls://", "tls://")
                .hasMessageNotContaining(server.password());
        assertThatThrownBy(() -> NatsReceiver.builder("billing", "ORDERS").servers("opentls://localhost"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void logsNoPasswordOfAnAddress() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.postrider.destination.nats");
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
        try {
            assertThat(send(administrator("nats"), "orders.placed")).isEqualTo(DeliveryResult.DELIVERED);
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }

        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.contains(server.host() + ":" + server.port()))
                .noneMatch(line -> line.contains(server.password()));
    }

    @Test
    void namesAHostThatNobodyKnowsAndNoPassword() {
        DeliveryResult result = send(
                NatsDestination.builder("nats").servers("nats://bob:s3cr3t%5E@nosuch.invalid:4222"), "orders.placed");

        assertThat(((Failed) result).reason())
                .contains("no address is known for host nosuch.invalid")
                .doesNotContain("s3cr3t");
        assertThat(((Failed) result).cause().map(Throwable::toString).orElse(""))
                .doesNotContain("s3cr3t");
    }

    @Test
    void refusesAnAddressThatIsNoneWithoutQuotingIt() {
        for (String password : List.of("s3cr3t word", "s3cr3t^", "s3cr3t%", "s3cr3t/x", "s3cr3t\"x")) {
            assertThatThrownBy(
                            () -> NatsDestination.builder("nats").servers("nats://bob:" + password + "@localhost:4222"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("number 1")
                    .hasMessageNotContaining("s3cr3t")
                    .hasNoCause();
        }
    }
}
