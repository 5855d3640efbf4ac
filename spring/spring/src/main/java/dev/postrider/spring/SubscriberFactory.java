package dev.postrider.spring;

import dev.postrider.bus.Subscriber;

/**
 * Connects the subscribers of {@link EventHandler} methods with a broker. The application has one bean of this type.
 *
 * <pre>{@code
 * @Bean
 * SubscriberFactory subscribers(CodecRegistry codecs) {
 *     return name -> Subscriber.builder(name, KafkaReceiver.builder(name, servers).topics("orders").build(), codecs);
 * }
 * }</pre>
 */
@FunctionalInterface
public interface SubscriberFactory {

    /**
     * A new subscriber with a new receiver, at each call: the one before it may have failed for good. Interceptors that are given here stand
     * outside of the transaction of the handler. Not to be started: handlers are still to be registered.
     *
     * @param name that of {@link EventHandler#subscriber}
     */
    Subscriber.Builder subscriber(String name);
}
