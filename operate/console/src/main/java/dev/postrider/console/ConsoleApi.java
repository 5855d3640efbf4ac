package dev.postrider.console;

import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.operation.DeadJobs;
import dev.postrider.service.operation.OperatedOutboxes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The API: finds the route of a request and asks it, if its caller may. Thread-safe. */
final class ConsoleApi implements AutoCloseable {

    private final WatchedOutboxes outboxes;
    private final DeadJobs jobs = new DeadJobs();
    private final List<Route> routes = new ArrayList<>();

    ConsoleApi(ConsoleSettings settings, OperatedOutboxes all) {
        this.outboxes = new WatchedOutboxes(all);
        routes.addAll(new OutboxRoutes(settings, outboxes, jobs).all());
        routes.addAll(new MessageRoutes(outboxes, MessageViews.of(settings)).all());
        routes.addAll(new DeadRoutes(outboxes, jobs).all());
    }

    List<Route> routes() {
        return routes;
    }

    /** What somebody without a role is told; empty for all others. */
    static Optional<ConsoleResponse> refuse(Access.Grant grant) {
        if (grant.role() != Role.NOTHING) {
            return Optional.empty();
        }
        return Optional.of(
                grant.operator().isEmpty()
                        ? ConsoleResponse.error(401, "Who are you? Send a token")
                                .with("WWW-Authenticate", "Bearer realm=\"postrider\"")
                        : ConsoleResponse.error(
                                403, "You are known as " + grant.operator() + ", who has no role here"));
    }

    ConsoleResponse answer(ConsoleRequest request, Access.Grant grant) {
        return refuse(grant).orElseGet(() -> byRoute(request, grant));
    }

    private ConsoleResponse byRoute(ConsoleRequest request, Access.Grant grant) {
        boolean isKnownPath = false;
        for (Route route : routes) {
            Optional<List<String>> parts = route.match(request.path());
            isKnownPath |= parts.isPresent();
            if (parts.isPresent() && route.method().equals(request.isRead() ? "GET" : request.method())) {
                return grant.role().includes(route.needed())
                        ? route.handler().handle(Call.of(request, grant, parts.get()))
                        : ConsoleResponse.error(403, "Your role may not do this");
            }
        }
        return isKnownPath
                ? ConsoleResponse.error(405, "This path has no " + request.method())
                : ConsoleResponse.error(404, "There is nothing at this path");
    }

    void sample() {
        outboxes.all().forEach(WatchedOutbox::sample);
    }

    @Override
    public void close() {
        jobs.close();
    }
}
