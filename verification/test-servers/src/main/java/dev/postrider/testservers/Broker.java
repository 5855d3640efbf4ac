package dev.postrider.testservers;

/**
 * A broker that takes clients, with an account that may do everything. Tests share it, so each uses names of its own for
 * what it makes there. Safe for use by several threads.
 */
public class Broker {
    private final BrokerAddress address;
    private final String origin;

    Broker(BrokerAddress address, String origin) {
        this.address = address;
        this.origin = origin;
    }

    /** The host name or address. */
    public final String host() {
        return address.host();
    }

    /** The TCP port; a private broker keeps it over a restart. */
    public final int port() {
        return address.port();
    }

    /** The name of an account that may do everything; empty if none is needed. */
    public final String user() {
        return address.user();
    }

    public final String password() {
        return address.password();
    }

    /** The address with the account in it. */
    public String uri() {
        return address.uri();
    }

    /** What this broker is, where it comes from and where it listens: for people. */
    public final String description() {
        return "%s %s, %s:%d".formatted(address.kind().label(), origin, host(), port());
    }

    final String origin() {
        return origin;
    }

    final boolean accepts() {
        return address.kind().isAt(host(), port());
    }

    @Override
    public final String toString() {
        return description();
    }
}
