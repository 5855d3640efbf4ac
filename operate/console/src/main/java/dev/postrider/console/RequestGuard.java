package dev.postrider.console;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses what a page of somebody else makes a browser send.
 *
 * <p>The name by which the console is called must be known, since a name of an attacker's own can be made to point here. What changes
 * something must come from the console's own page, and carry a header that no form can send.
 */
final class RequestGuard {

    /** The header that every write carries. */
    static final String WRITE_HEADER = "postrider-console";

    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> hosts = new TreeSet<>(LOOPBACK);

    RequestGuard(List<String> furtherHosts) {
        furtherHosts.forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
    }

    /** Why the request is refused; empty if it is not. */
    Optional<String> refuse(ConsoleRequest request) {
        String host = request.header("host").orElse("").toLowerCase(Locale.ROOT);
        if (!hosts.contains(withoutPort(host)) && !hosts.contains(host)) {
            return Optional.of(
                    "The console does not answer to this host name; add it to 'hosts' of the section 'console', in"
                            + " Spring to postrider.console.hosts");
        }
        return request.isRead() ? Optional.empty() : refuseWrite(request, host);
    }

    private static Optional<String> refuseWrite(ConsoleRequest request, String host) {
        if (!isSameOrigin(request, host)) {
            return Optional.of("A change must come from the console's own page");
        }
        return request.header(WRITE_HEADER).isPresent()
                ? Optional.empty()
                : Optional.of("A change needs the header " + WRITE_HEADER);
    }

    /**
     * A browser sends at least one of the two with every write, and both must agree: a proxy that calls the console by another name than the
     * browser uses would make any page behind it one of the same origin.
     */
    private static boolean isSameOrigin(ConsoleRequest request, String host) {
        Optional<Boolean> bySite = request.header("sec-fetch-site").map("same-origin"::equals);
        Optional<Boolean> byOrigin = request.header("origin")
                .map(origin -> origin.toLowerCase(Locale.ROOT)
                        .replaceFirst("^https?://", "")
                        .equals(host));
        return bySite.orElse(true) && byOrigin.orElse(true) && (bySite.isPresent() || byOrigin.isPresent());
    }

    private static String withoutPort(String host) {
        return host.replaceFirst(":\\d+$", "");
    }
}
