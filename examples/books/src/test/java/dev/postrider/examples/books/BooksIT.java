package dev.postrider.examples.books;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Servers;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the application on a real broker and reads what it prints. */
@Timeout(180)
class BooksIT {

    private final Broker server = Servers.rabbitmq();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void carriesBooksFromTheCatalogueToTheIndexAndParksWhatCannotBeIndexed() throws Exception {
        PrintStream console = System.out;
        InputStream input = System.in;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setIn(new InputUntil(() -> lines().size() >= 3));
        try {
            BooksApp.main(new String[] {uri()});
            assertThat(lines())
                    .containsSubsequence("indexed Ulysses", "forgot 978-0-14-118280-3")
                    .contains("cannot index 978-0-00-000000-0: it has no title");
            assertThat(parked().getProps().getHeaders().get("x-postrider-parked-reason"))
                    .asString()
                    .contains("has no title");
        } finally {
            System.setOut(console);
            System.setIn(input);
        }
    }

    private String uri() {
        return "amqp://%s:%s@%s:%d".formatted(server.user(), server.password(), server.host(), server.port());
    }

    private List<String> lines() {
        return printed.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("indexed") || line.startsWith("forgot") || line.startsWith("cannot"))
                .toList();
    }

    private GetResponse parked() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri());
        try (Connection connection = factory.newConnection()) {
            return connection.createChannel().basicGet("search.pl", true);
        }
    }

    /** Standard input that ends when something is the case. */
    private static final class InputUntil extends InputStream {

        private final BooleanSupplier isEnd;

        InputUntil(BooleanSupplier isEnd) {
            this.isEnd = isEnd;
        }

        @Override
        public int read() {
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return -1;
            }
            return isEnd.getAsBoolean() ? -1 : ' ';
        }
    }
}
