package dev.postrider.testservers;

import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Gets a server by the first way that works on this machine, and says why the ones before it did not.
 *
 * @param label what is wanted
 * @param variable where users can name one of their own
 */
record FirstWay(String label, String variable) {

    private static final int PORT_TRIES = 3;

    /** What was printed, so that a hundred private servers do not print it a hundred times. */
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    /** By one of these installations, else by a container. */
    <S> S of(List<InstallationSource> sources, Function<Installation, S> start, Supplier<S> container) {
        StringJoiner refusals = new StringJoiner("\n");
        for (InstallationSource source : sources) {
            try {
                return start.apply(source.install());
            } catch (ServerUnavailableException refused) {
                note(refused, refusals);
            }
        }
        try {
            return container.get();
        } catch (ServerUnavailableException refused) {
            note(refused, refusals);
        }
        throw new ServerUnavailableException(
                "%s is needed for this test and cannot be had:%n%s%nSet %s to the address of one, or make one of these work."
                        .formatted(label, refusals, variable));
    }

    private void note(ServerUnavailableException refused, StringJoiner refusals) {
        refusals.add("  - " + refused.getMessage());
        String line = "Test server: %s: %s; trying the next way".formatted(label, refused.getMessage());
        if (SAID.add(line)) {
            System.err.println(line);
        }
    }

    /** Tries it again on other ports: somebody may have taken one after it was picked. */
    static <S> S onFreePorts(Supplier<S> start) {
        for (int tries = 1; ; tries++) {
            try {
                return start.get();
            } catch (ServerUnavailableException failed) {
                if (tries == PORT_TRIES) {
                    throw failed;
                }
            }
        }
    }
}
