package dev.postrider.console;

import com.sun.net.httpserver.HttpExchange;
import dev.postrider.internal.DaemonThreads;
import dev.postrider.service.HttpPart;
import dev.postrider.service.LimitedHttpServer;
import dev.postrider.service.console.ConsoleSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console at an HTTP server of the JDK. Answers on threads of its own, a few at a time: what waits for a slow database never keeps health
 * checks waiting. Beyond a bound it says 503. Thread-safe.
 */
public final class ConsoleHttp implements HttpPart {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleHttp.class);
    private static final int THREADS = 4;
    private static final int WAITING = 64;
    private static final int LARGEST_BODY = 64 << 10;

    private final String path;
    private final Console console;
    private final ConsoleStreams streams = LimitedHttpServer.longestAnswer()
            .map(ConsoleHttp::before)
            .map(ConsoleStreams::new)
            .orElseGet(ConsoleStreams::new);
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(WAITING),
            new DaemonThreads("postrider-console"));

    /** Answers for this console, which is closed with it. */
    public ConsoleHttp(ConsoleSettings settings, Console console) {
        this.path = settings.path();
        this.console = console;
    }

    /** A stream ends as it should, and with some time to spare, before the server would cut it. */
    private static Duration before(Duration cut) {
        return cut.multipliedBy(8).dividedBy(10).minus(WatchedOutbox.INTERVAL);
    }

    @Override
    public String path() {
        return path;
    }

    /**
     * Reads the request on the thread that calls, whose server ends slow clients, and answers on another one. Nobody who is refused gets his body
     * read.
     */
    @Override
    public void handle(HttpExchange exchange) throws IOException {
        String below = exchange.getRequestURI().getRawPath().substring(path.length());
        ConsoleRequest head = head(exchange, below);
        Optional<ConsoleResponse> refused = refuse(head);
        if (refused.isPresent()) {
            reply(exchange, refused.get());
            return;
        }
        byte[] body = body(exchange);
        if (body.length > LARGEST_BODY) {
            reply(exchange, ConsoleResponse.error(413, "The body is too large"));
        } else {
            handOver(exchange, head.withBody(new String(body, StandardCharsets.UTF_8)));
        }
    }

    private Optional<ConsoleResponse> refuse(ConsoleRequest head) {
        if (head.path().isEmpty()) {
            return Optional.of(
                    ConsoleResponse.of(308, "text/plain", new byte[0]).with("Location", path + "/"));
        }
        return head.path().startsWith("/")
                ? console.refuse(head)
                : Optional.of(ConsoleResponse.error(404, "There is nothing at this path"));
    }

    private void handOver(HttpExchange exchange, ConsoleRequest request) throws IOException {
        try {
            threads.execute(() -> answer(exchange, request));
        } catch (RejectedExecutionException tooMany) {
            reply(exchange, ConsoleResponse.error(503, "Too many requests to the console are waiting; try again"));
        }
    }

    private void answer(HttpExchange exchange, ConsoleRequest request) {
        try {
            ConsoleResponse answer = console.handle(request);
            if (answer.feed().isEmpty()) {
                reply(exchange, answer);
            } else if (!follow(exchange, answer, answer.feed().get())) {
                reply(exchange, ConsoleResponse.tooMany());
            }
        } catch (IOException gone) {
            LOG.atDebug().setCause(gone).log("A browser went away");
        } catch (RuntimeException unexpected) {
            LOG.atWarn().setCause(unexpected).log("Could not answer a request to the console");
        }
    }

    /** Hands the exchange over to a thread for streams; returns whether there was one. */
    private boolean follow(HttpExchange exchange, ConsoleResponse answer, Feed feed) {
        return streams.start(
                feed,
                () -> {
                    headers(exchange, answer);
                    exchange.sendResponseHeaders(answer.status(), 0);
                    return exchange.getResponseBody();
                },
                exchange::close);
    }

    private static ConsoleRequest head(HttpExchange exchange, String below) {
        return new ConsoleRequest(
                exchange.getRequestMethod(),
                below,
                Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""),
                headers(exchange),
                isLocal(exchange),
                "");
    }

    /**
     * Sidecars call from other addresses of the loopback net, such as 127.0.0.6, on behalf of anybody; proxies that say nothing of
     * themselves speak HTTP/1.0, and no browser does.
     */
    private static boolean isLocal(HttpExchange exchange) {
        InetAddress address = exchange.getRemoteAddress().getAddress();
        boolean isOwn = address instanceof Inet6Address
                ? address.isLoopbackAddress()
                : Arrays.equals(address.getAddress(), new byte[] {127, 0, 0, 1});
        return isOwn
                && exchange.getLocalAddress().getAddress().isLoopbackAddress()
                && !exchange.getProtocol().equals("HTTP/1.0");
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        try (InputStream body = exchange.getRequestBody()) {
            return body.readNBytes(LARGEST_BODY + 1);
        }
    }

    private static Map<String, String> headers(HttpExchange exchange) {
        Map<String, String> headers = new HashMap<>();
        for (Map.Entry<String, List<String>> header :
                exchange.getRequestHeaders().entrySet()) {
            headers.put(
                    header.getKey().toLowerCase(Locale.ROOT), header.getValue().get(0));
        }
        return headers;
    }

    private static void reply(HttpExchange exchange, ConsoleResponse answer) throws IOException {
        try (exchange) {
            headers(exchange, answer);
            boolean hasBody = !exchange.getRequestMethod().equals("HEAD") && answer.body().length > 0;
            exchange.sendResponseHeaders(answer.status(), hasBody ? answer.body().length : -1);
            if (hasBody) {
                // Closed before the exchange, which first reads what is left of the request, and may wait for it.
                try (OutputStream body = exchange.getResponseBody()) {
                    body.write(answer.body());
                }
            }
        }
    }

    private static void headers(HttpExchange exchange, ConsoleResponse answer) {
        answer.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
    }

    int streams() {
        return streams.running();
    }

    @Override
    public void close() {
        streams.close();
        threads.shutdownNow();
        console.close();
    }
}
