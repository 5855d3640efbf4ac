package dev.postrider.console;

import dev.postrider.service.console.Role;
import java.util.List;

/** Trusts connections from this machine, unless somebody else's request comes through them. */
record LoopbackAccess(Role role) implements Access {

    private static final List<String> OF_PROXIES = List.of("forwarded", "x-forwarded-", "x-envoy-", "x-real-ip", "via");

    @Override
    public Grant grant(ConsoleRequest request) {
        boolean isOwn = request.isLocal()
                && request.headers().keySet().stream()
                        .noneMatch(header -> OF_PROXIES.stream().anyMatch(header::startsWith));
        return isOwn ? new Grant(System.getProperty("user.name", "unknown"), role) : Grant.NOTHING;
    }
}
