package dev.postrider.spring.boot;

import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.Feed;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The console in WebFlux. It asks a database and waits for it, so it answers on a few threads of its own. Thread-safe. */
final class FluxConsole implements WebHandler, AutoCloseable {

    private static final int THREADS = 4;
    private static final int WAITING = 64;
    private static final int STREAMS = 32;
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);

    private static final boolean HAS_CSRF =
            ClassUtils.isPresent("org.springframework.security.web.server.csrf.CsrfToken", null);

    private final ApplicationConsole console;
    private final Scheduler threads = Schedulers.newBoundedElastic(THREADS, WAITING, "postrider-console");
    private final Scheduler streamThreads = Schedulers.newBoundedElastic(STREAMS, 1, "postrider-console-stream");
    private final Semaphore streams = new Semaphore(STREAMS);

    FluxConsole(ApplicationConsole console) {
        this.console = console;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        Optional<String> below = console.below(
                exchange.getRequest().getPath().pathWithinApplication().value());
        if (below.isEmpty()) {
            return send(response, console.redirect());
        }
        return body(exchange.getRequest())
                .flatMap(body -> answer(exchange, request(exchange.getRequest(), below.get(), body)))
                .onErrorResume(
                        DataBufferLimitException.class,
                        tooLarge -> Mono.just(ConsoleResponse.error(413, "The body is too large")))
                .onErrorResume(
                        RejectedExecutionException.class,
                        tooMany -> Mono.just(
                                ConsoleResponse.error(503, "Too many requests to the console are waiting; try again")))
                .flatMap(answer -> answer.feed()
                        .map(feed -> follow(response, answer, feed))
                        .orElseGet(() -> send(response, answer)));
    }

    private static Mono<String> body(ServerHttpRequest request) {
        return DataBufferUtils.join(request.getBody(), ApplicationConsole.LARGEST_BODY)
                .map(buffer -> {
                    String text = buffer.toString(StandardCharsets.UTF_8);
                    DataBufferUtils.release(buffer);
                    return text;
                })
                .defaultIfEmpty("");
    }

    private Mono<ConsoleResponse> answer(ServerWebExchange exchange, ConsoleRequest request) {
        Mono<ConsoleResponse> answer = exchange.<Principal>getPrincipal()
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .publishOn(threads)
                .map(user -> console.answer(request, user.orElse(null)));
        return HAS_CSRF && ApplicationConsole.asksWhoHeIs(request)
                ? answer.flatMap(found -> CsrfHeaders.add(found, exchange))
                : answer;
    }

    private static ConsoleRequest request(ServerHttpRequest request, String path, String body) {
        Map<String, String> headers = new HashMap<>();
        request.getHeaders().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), first(values)));
        return new ConsoleRequest(
                request.getMethod().name(),
                path,
                Optional.ofNullable(request.getURI().getRawQuery()).orElse(""),
                headers,
                false,
                body);
    }

    private static String first(List<String> values) {
        return values.isEmpty() ? "" : values.get(0);
    }

    private Mono<Void> follow(ServerHttpResponse response, ConsoleResponse answer, Feed feed) {
        if (!streams.tryAcquire()) {
            return send(response, ConsoleResponse.tooMany());
        }
        head(response, answer);
        // A browser that reads nothing asks for nothing, and what is not asked for is not sent in time.
        Flux<byte[]> lines = Flux.<byte[]>generate(sink -> next(feed, sink))
                .subscribeOn(streamThreads)
                .timeout(WRITE_TIMEOUT)
                .doFinally(end -> streams.release());
        return response.writeAndFlushWith(lines.map(line -> Mono.just(buffer(response, line))));
    }

    private static void next(Feed feed, SynchronousSink<byte[]> sink) {
        try {
            feed.next().ifPresentOrElse(sink::next, sink::complete);
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
            sink.complete();
        }
    }

    private static Mono<Void> send(ServerHttpResponse response, ConsoleResponse answer) {
        head(response, answer);
        response.getHeaders().setContentLength(answer.body().length);
        return response.writeWith(Mono.just(buffer(response, answer.body())));
    }

    private static DataBuffer buffer(ServerHttpResponse response, byte[] bytes) {
        return response.bufferFactory().wrap(bytes);
    }

    private static void head(ServerHttpResponse response, ConsoleResponse answer) {
        response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
        answer.headers().forEach((name, value) -> response.getHeaders().set(name, value));
    }

    @Override
    public void close() {
        threads.dispose();
        streamThreads.dispose();
    }
}
