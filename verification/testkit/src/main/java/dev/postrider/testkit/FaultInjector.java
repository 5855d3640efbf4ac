package dev.postrider.testkit;

/** Decides, call by call, whether an operation of the in-memory store fails. */
@FunctionalInterface
public interface FaultInjector {

    /** What happens to one call. */
    enum Fault {
        /** It works. */
        NONE,
        /** It fails and has no effect. */
        BEFORE,
        /** It takes effect and then fails: the caller cannot know. */
        AFTER
    }

    /** Called once per operation, named like {@code settlements.delete}. */
    Fault decide(String operation);

    /** Nothing ever fails. */
    static FaultInjector none() {
        return operation -> Fault.NONE;
    }
}
