package dev.postrider.console;

import dev.postrider.service.console.Role;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * Decides who sends a request and what that one may do. Asked for every request to the console's API. Thread-safe.
 *
 * <pre>{@code
 * Access access = request -> new Access.Grant("ann", Role.METADATA);
 * }</pre>
 */
@FunctionalInterface
public interface Access {

    /** Who sends this request; with {@link Role#NOTHING} if that is not known. */
    Grant grant(ConsoleRequest request);

    /**
     * Who somebody is and what that one may do.
     *
     * @param operator the name for the operation log
     */
    record Grant(String operator, Role role) {

        static final Grant NOTHING = new Grant("", Role.NOTHING);
    }

    /** Everybody on this machine, and nobody else; not what a proxy on this machine passes on, unless that hides itself. */
    static Access loopback(Role role) {
        String operator = System.getProperty("user.name", "unknown");
        return request -> isFromHere(request) ? new Grant(operator, role) : Grant.NOTHING;
    }

    private static boolean isFromHere(ConsoleRequest request) {
        List<String> ofProxies = List.of("forwarded", "x-forwarded-", "x-envoy-", "x-real-ip", "via");
        return request.isLocal()
                && request.headers().keySet().stream()
                        .noneMatch(header -> ofProxies.stream().anyMatch(header::startsWith));
    }

    /** A token that nobody can guess. */
    static String randomToken() {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** Whoever has this one token, of at least 16 characters. */
    static Access token(String token, Grant grant) {
        return TokenAccess.of(token, grant);
    }

    /**
     * Whoever has a token, as {@code Authorization: Bearer …}.
     *
     * @param file a line {@code NAME ROLE TOKEN} for each person; empty lines and those that begin with # count nothing. Read once
     */
    static Access tokens(Path file) {
        return TokenAccess.read(file);
    }
}
