package dev.postrider.spring.boot;

import dev.postrider.relay.RelayBuilder;

/**
 * Changes the relay of each outbox before it is built: listeners, a failure classifier, whatever the properties cannot say. Beans of this
 * type are called in their order, after the properties were applied.
 *
 * <pre>{@code
 * @Bean
 * RelayCustomizer alarms(Alarms alarms) {
 *     return (outbox, relay) -> relay.listener(alarms);
 * }
 * }</pre>
 */
@FunctionalInterface
public interface RelayCustomizer {

    /** @param outbox the name of the outbox in the properties; {@code outbox} if there is only one */
    void customize(String outbox, RelayBuilder relay);
}
