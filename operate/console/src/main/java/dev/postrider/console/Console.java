package dev.postrider.console;

import dev.postrider.internal.DaemonThreads;
import dev.postrider.internal.SafeText;
import dev.postrider.message.PostriderException;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.operation.OperatedOutboxes;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console: a page that shows outboxes and operates them, with its API.
 *
 * <p>It knows no web server: whoever has one passes requests in and answers out. A read changes nothing. A write needs {@link Role#OPERATE}, comes
 * from the console's own page, and is written to the operation log with the operator's name. Thread-safe; close it.
 *
 * <pre>{@code
 * try (Console console = Console.of(settings, outboxes, Access.loopback(Role.OPERATE))) {
 *     ConsoleResponse answer = console.handle(request);
 * }
 * }</pre>
 */
public final class Console implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Console.class);
    private static final long SAMPLE_SECONDS = 10;

    private final OperatedOutboxes outboxes;
    private final RequestGuard guard;
    private final Access access;
    private final ConsoleApi api;
    private final StaticFiles files = new StaticFiles();
    private final ScheduledExecutorService sampler =
            Executors.newSingleThreadScheduledExecutor(new DaemonThreads("postrider-console-rates"));

    private Console(ConsoleSettings settings, OperatedOutboxes outboxes, Access access) {
        this.outboxes = outboxes;
        this.guard = new RequestGuard(settings.hosts());
        this.access = access;
        this.api = new ConsoleApi(settings, outboxes);
        var unused = sampler.scheduleWithFixedDelay(this::sample, 0, SAMPLE_SECONDS, TimeUnit.SECONDS);
    }

    /** Over these outboxes, which are closed with it. */
    public static Console of(ConsoleSettings settings, OperatedOutboxes outboxes, Access access) {
        return new Console(settings, outboxes, access);
    }

    /** With the access that the settings say: by tokens, else from this machine only. */
    public static Console of(ConsoleSettings settings, OperatedOutboxes outboxes) {
        return of(
                settings,
                outboxes,
                settings.tokenFile().map(Access::tokens).orElseGet(() -> Access.loopback(settings.loopbackRole())));
    }

    private void sample() {
        try {
            api.sample();
        } catch (RuntimeException unexpected) {
            LOG.atDebug().setCause(unexpected).log("Could not read rates");
        }
    }

    /** Answers a request; never throws. */
    public ConsoleResponse handle(ConsoleRequest request) {
        return handle(request, access);
    }

    /** The same where somebody else has found out who asks. */
    public ConsoleResponse handle(ConsoleRequest request, Access.Grant grant) {
        return handle(request, (Access) asked -> grant);
    }

    private ConsoleResponse handle(ConsoleRequest request, Access asked) {
        return guard.refuse(request)
                .map(problem -> ConsoleResponse.error(403, problem))
                .orElseGet(() -> answer(request, asked));
    }

    /** The answer to somebody who gets no other, as far as the head of the request tells: such a one's body need not be read. */
    Optional<ConsoleResponse> refuse(ConsoleRequest head) {
        return guard.refuse(head)
                .map(problem -> ConsoleResponse.error(403, problem))
                .or(() -> isOfApi(head) ? ConsoleApi.refuse(access.grant(head)) : Optional.empty());
    }

    private static boolean isOfApi(ConsoleRequest request) {
        return request.path().startsWith("/api/");
    }

    /** The page itself holds no data: whoever reaches it may load it. */
    private ConsoleResponse answer(ConsoleRequest request, Access asked) {
        try {
            if (isOfApi(request)) {
                return api.answer(request, asked.grant(request));
            }
            Optional<ConsoleResponse> file = request.isRead() ? files.find(request) : Optional.empty();
            return file.orElseGet(() -> ConsoleResponse.error(404, "There is nothing at this path"));
        } catch (IllegalArgumentException wrong) {
            return ConsoleResponse.error(400, String.valueOf(wrong.getMessage()));
        } catch (PostriderException failure) {
            return ConsoleResponse.error(503, SafeText.of(String.valueOf(failure.getMessage())));
        } catch (RuntimeException unexpected) {
            LOG.atWarn().setCause(unexpected).log("Could not answer a request to the console");
            return ConsoleResponse.error(500, "The console failed; the log says why");
        }
    }

    @Override
    public void close() {
        // Not interrupted: a pool that is just being opened would complain.
        sampler.shutdown();
        api.close();
        outboxes.close();
    }
}
