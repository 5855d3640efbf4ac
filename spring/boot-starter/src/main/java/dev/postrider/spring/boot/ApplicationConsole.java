package dev.postrider.spring.boot;

import dev.postrider.console.Access;
import dev.postrider.console.Console;
import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.service.console.Role;
import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/**
 * The console inside an application, whatever its web framework. Behind the application's own security: who has signed in there has the role
 * that the properties give to one of his authorities. A bean of type {@link Access}, or a file of tokens, goes before that. Thread-safe.
 */
final class ApplicationConsole implements AutoCloseable {

    /** More is no request of the page. */
    static final int LARGEST_BODY = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationConsole.class);

    private static final boolean HAS_SECURITY =
            ClassUtils.isPresent("org.springframework.security.core.Authentication", null);

    private final ConsoleProperties properties;
    private final Optional<Access> access;
    private final Console console;

    /** @param access who may do what; empty: the authorities of the application say so */
    ApplicationConsole(ConsoleProperties properties, Optional<Access> access, Console console) {
        this.properties = properties;
        this.access = access;
        this.console = console;
        if (access.isEmpty() && (properties.authorities().isEmpty() || !HAS_SECURITY)) {
            LOG.atWarn()
                    .log(
                            "Nobody can use the console at {}: {}",
                            path(),
                            HAS_SECURITY
                                    ? "give an authority of your application a role, as postrider.console.roles.operate"
                                    : "add Spring Security, a bean of type Access, or postrider.console.token-file");
        }
    }

    String path() {
        return properties.settings().path();
    }

    /**
     * Answers.
     *
     * @param path in the application, not decoded
     * @param user who has signed in
     */
    ConsoleResponse answer(ConsoleRequest request, @Nullable Principal user) {
        return console.handle(request, access.map(asked -> asked.grant(request)).orElseGet(() -> grant(user)));
    }

    private Access.Grant grant(@Nullable Principal user) {
        if (user == null) {
            return new Access.Grant("", Role.NOTHING);
        }
        Set<String> granted = HAS_SECURITY ? Authorities.of(user) : Set.of();
        return new Access.Grant(user.getName(), properties.roleOf(granted));
    }

    /** What follows the path of the console; empty if nothing does, and the browser must be sent to the slash at its end. */
    Optional<String> below(String pathInApplication) {
        return Optional.of(pathInApplication.substring(path().length())).filter(rest -> !rest.isEmpty());
    }

    /** To the same path with a slash; relative, since only the browser knows what stands before the application's path. */
    ConsoleResponse redirect() {
        String last = path().substring(path().lastIndexOf('/') + 1);
        return ConsoleResponse.of(308, "text/plain", new byte[0]).with("Location", last + "/");
    }

    static boolean asksWhoHeIs(ConsoleRequest request) {
        return request.path().equals("/api/me");
    }

    @Override
    public void close() {
        console.close();
    }
}
