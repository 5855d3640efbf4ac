package dev.postrider.destination.nats;

import dev.postrider.spi.Destination;
import dev.postrider.testkit.PlaceScenario;
import dev.postrider.testservers.NatsServer;
import dev.postrider.testservers.PrivateBroker;
import dev.postrider.testservers.TestCertificate;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay whose user may publish to some subjects only, on a server whose rights change while it runs. */
@Timeout(300)
class ForbiddenSubjectIT {

    private static final String USER =
            "{ user: \"relay\", password: \"secret\", permissions: { publish: { deny: \"forbidden.>\" } } }";

    @Test
    @SuppressWarnings("try") // Closing may be interrupted, which ends the test.
    void messagesOfAForbiddenSubjectWaitUntilTheRightIsGranted() throws Exception {
        try (PrivateBroker server = NatsServer.startPrivate(USER, TestCertificate.forAnotherHost());
                Connection administrator = Nats.connect(url(server, server.user(), server.password()));
                Destination nats = NatsDestination.builder("nats")
                        .servers(url(server, "relay", "secret"))
                        .build()) {
            administrator
                    .jetStreamManagement()
                    .addStream(StreamConfiguration.builder()
                            .name("ALL")
                            .subjects("forbidden.>", "allowed.>")
                            .build());

            PlaceScenario.run(nats, "forbidden.orders", "allowed.orders", () -> grantAll(server));
        }
    }

    private static String url(PrivateBroker server, String user, String password) {
        return "nats://" + user + ":" + password + "@" + server.host() + ":" + server.port();
    }

    /** As an administrator does: edits the configuration and has the server read it again. */
    private static void grantAll(PrivateBroker server) {
        long process = server.processId().orElseThrow();
        Path file = ProcessHandle.of(process)
                .flatMap(handle -> handle.info().arguments())
                .flatMap(arguments -> Arrays.stream(arguments)
                        .filter(each -> each.endsWith("nats.conf"))
                        .findFirst())
                .map(Path::of)
                .orElseThrow();
        try {
            Files.writeString(file, Files.readString(file).replace("deny: \"forbidden.>\"", "deny: \"another.>\""));
            new ProcessBuilder("kill", "-HUP", Long.toString(process))
                    .inheritIO()
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
