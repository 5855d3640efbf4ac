package dev.postrider.destination.rabbitmq;

import java.util.Set;

/**
 * Which exchanges are declared, as durable topic exchanges.
 *
 * @param ifMissing any to which a message goes, or a queue is bound, and which is missing
 * @param atOnce with each connection, before anything else
 */
record DeclaredExchanges(boolean ifMissing, Set<String> atOnce) {

    static final DeclaredExchanges NONE = new DeclaredExchanges(false, Set.of());
}
