package dev.postrider.spi;

import dev.postrider.message.InvalidMessageException;
import java.util.List;

/**
 * Looks at one thing that an outbox depends on, for operators' tools such as {@code postrider doctor}. Changes nothing.
 *
 * <p>May ask a server and wait some seconds for its answer. For one thread.
 */
public interface Check {

    /** What it looks at, in a few words, such as {@code long transactions}. */
    String name();

    /**
     * Looks.
     *
     * @return what is not as it should be; empty when all is well
     * @throws Exception if it cannot be seen; whoever asked says so and goes on with the next check
     */
    List<Finding> run() throws Exception;

    /** A check made of a name and a method. */
    static Check of(String name, Look look) {
        return new Check() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public List<Finding> run() throws Exception {
                return look.run();
            }
        };
    }

    /** A check of a topic whose messages a destination rejects. */
    static Check ofRejected(String name, InvalidMessageException invalid) {
        return of(
                name,
                () -> List.of(Finding.error(
                        String.valueOf(invalid.getMessage()),
                        "its messages are rejected",
                        "Write another topic, or map it to one")));
    }

    /** The method of a check. */
    @FunctionalInterface
    interface Look {
        List<Finding> run() throws Exception;
    }
}
