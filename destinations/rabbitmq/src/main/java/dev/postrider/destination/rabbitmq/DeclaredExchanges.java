package dev.postrider.destination.rabbitmq;

import java.util.Set;

/**
 * Which exchanges a destination declares, as durable topic exchanges.
 *
 * @param ifMissing any to which a message goes and which is missing
 * @param atOnce with each connection, before anything is sent
 */
record DeclaredExchanges(boolean ifMissing, Set<String> atOnce) {

    static final DeclaredExchanges NONE = new DeclaredExchanges(false, Set.of());
}
