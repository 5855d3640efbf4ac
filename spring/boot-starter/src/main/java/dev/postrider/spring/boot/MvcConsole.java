package dev.postrider.spring.boot;

import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleStreams;
import dev.postrider.console.Feed;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.springframework.util.ClassUtils;
import org.springframework.web.HttpRequestHandler;

/** The console in Spring MVC. At most a few requests at a time, so that a slow database does not take the application's threads. Thread-safe. */
final class MvcConsole implements HttpRequestHandler, AutoCloseable {

    private static final int AT_ONCE = 8;

    private static final boolean HAS_CSRF =
            ClassUtils.isPresent("org.springframework.security.web.csrf.CsrfToken", null);

    private final ApplicationConsole console;
    private final ConsoleStreams streams = new ConsoleStreams();
    private final Semaphore places = new Semaphore(AT_ONCE);

    MvcConsole(ApplicationConsole console) {
        this.console = console;
    }

    @Override
    public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ConsoleResponse answer = answer(request);
        if (answer.feed().isPresent()) {
            follow(request, response, answer, answer.feed().get());
        } else {
            send(response, answer);
        }
    }

    private ConsoleResponse answer(HttpServletRequest request) throws IOException {
        if (!places.tryAcquire()) {
            return ConsoleResponse.error(503, "Too many requests to the console are waiting; try again");
        }
        try {
            Optional<String> below = console.below(pathInApplication(request));
            return below.isPresent() ? answer(request, below.get()) : console.redirect();
        } finally {
            places.release();
        }
    }

    private ConsoleResponse answer(HttpServletRequest request, String path) throws IOException {
        byte[] body = request.getInputStream().readNBytes(ApplicationConsole.LARGEST_BODY + 1);
        if (body.length > ApplicationConsole.LARGEST_BODY) {
            return ConsoleResponse.error(413, "The body is too large");
        }
        ConsoleRequest asked = new ConsoleRequest(
                request.getMethod(),
                path,
                Optional.ofNullable(request.getQueryString()).orElse(""),
                headers(request),
                false,
                new String(body, StandardCharsets.UTF_8));
        ConsoleResponse answer = console.answer(asked, request.getUserPrincipal());
        return HAS_CSRF && ApplicationConsole.asksWhoHeIs(asked) ? CsrfHeaders.add(answer, request) : answer;
    }

    /** Not decoded, without what leads to the application and to its dispatcher. */
    private static String pathInApplication(HttpServletRequest request) {
        boolean hasPrefix = request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH;
        int before = request.getContextPath().length()
                + (hasPrefix ? request.getServletPath().length() : 0);
        return request.getRequestURI().substring(before);
    }

    private static Map<String, String> headers(HttpServletRequest request) {
        Map<String, String> headers = new HashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name.toLowerCase(Locale.ROOT), request.getHeader(name));
        }
        return headers;
    }

    private void follow(HttpServletRequest request, HttpServletResponse response, ConsoleResponse answer, Feed feed)
            throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        boolean hasBegun = streams.start(
                feed,
                () -> {
                    head(response, answer);
                    return response.getOutputStream();
                },
                async::complete);
        if (!hasBegun) {
            send(response, ConsoleResponse.tooMany());
            async.complete();
        }
    }

    private static void send(HttpServletResponse response, ConsoleResponse answer) throws IOException {
        head(response, answer);
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
    }

    private static void head(HttpServletResponse response, ConsoleResponse answer) {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
    }

    @Override
    public void close() {
        streams.close();
    }
}
