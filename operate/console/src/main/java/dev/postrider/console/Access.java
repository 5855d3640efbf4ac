package dev.postrider.console;

import dev.postrider.service.console.Role;
import java.nio.file.Path;

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

    /** Everybody on this machine, and nobody else; not what a proxy on this machine passes on. */
    static Access loopback(Role role) {
        return new LoopbackAccess(role);
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
