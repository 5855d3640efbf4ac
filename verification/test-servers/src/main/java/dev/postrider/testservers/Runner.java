package dev.postrider.testservers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What goes before a command so that it runs on this machine and as a user it accepts.
 *
 * @param prefix the words before the command
 * @param owner the user and group that must own the data directory; empty for the current one
 */
record Runner(List<String> prefix, String owner) {
    static final Runner PLAIN = new Runner(List.of(), "");

    /** As somebody else in a user namespace; on disk everything still belongs to root. */
    private static final Runner NAMESPACE = new Runner(List.of("unshare", "--user"), "");

    /** As nobody, but able to enter root's directories. For containers that forbid user namespaces. */
    private static final Runner NOBODY = new Runner(
            List.of(
                    "setpriv",
                    "--reuid=65534",
                    "--regid=65534",
                    "--clear-groups",
                    "--inh-caps=+dac_override",
                    "--ambient-caps=+dac_override"),
            "65534:65534");

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** For servers that refuse to run as root. */
    static Runner withoutRoot() {
        if (!isRoot()) {
            return PLAIN;
        }
        if (NAMESPACE.works()) {
            return NAMESPACE;
        }
        if (NOBODY.works()) {
            return NOBODY;
        }
        throw new ServerUnavailableException(
                "it refuses to run as root, and neither unshare nor setpriv works here; run the build as another user");
    }

    /** The same, with more words directly before the command. */
    Runner then(List<String> words) {
        var all = new ArrayList<>(prefix);
        all.addAll(words);
        return new Runner(List.copyOf(all), owner);
    }

    /**
     * Programs where the user who runs them can see them: the same place, or a public copy. PostgreSQL asks the system
     * whether it may read its own program, and then abilities beyond those of the plain user do not count.
     */
    Path reachable(Path programs) {
        return owner.isEmpty() ? programs : PublicCopy.of(programs);
    }

    /** Hands a directory to the user who will run the server. */
    void handOver(Path directory) {
        if (!owner.isEmpty()) {
            Command.run("chown", "-R", owner, directory.toString());
        }
    }

    private boolean works() {
        return Command.succeeds(then(List.of("true")).prefix());
    }
}
