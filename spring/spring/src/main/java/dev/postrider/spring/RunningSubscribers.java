package dev.postrider.spring;

import dev.postrider.bus.Subscriber;
import dev.postrider.internal.DaemonThreads;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** All subscribers of a context from its start to its stop, with the thread that makes lost ones again. */
final class RunningSubscribers implements AutoCloseable {

    private final ExecutorService supervisor =
            Executors.newSingleThreadExecutor(new DaemonThreads("postrider-subscribers"));
    private final List<SupervisedSubscriber> subscribers;

    private RunningSubscribers(Map<String, List<HandlerMethod>> handlers, SubscriberFactory factory) {
        this.subscribers = handlers.entrySet().stream()
                .map(each -> new SupervisedSubscriber(
                        each.getKey(), () -> subscriber(each.getKey(), each.getValue(), factory), supervisor))
                .toList();
    }

    private static Subscriber subscriber(String name, List<HandlerMethod> handlers, SubscriberFactory factory) {
        Subscriber subscriber = factory.subscriber(name).build();
        try {
            handlers.forEach(handler -> handler.register(subscriber));
        } catch (RuntimeException | Error failure) {
            subscriber.close();
            throw failure;
        }
        return subscriber;
    }

    static RunningSubscribers start(Map<String, List<HandlerMethod>> handlers, SubscriberFactory factory) {
        RunningSubscribers started = new RunningSubscribers(handlers, factory);
        try {
            started.subscribers.forEach(SupervisedSubscriber::start);
            return started;
        } catch (RuntimeException | Error failure) {
            started.close();
            throw failure;
        }
    }

    Map<String, Boolean> receiving() {
        return subscribers.stream()
                .collect(Collectors.toMap(SupervisedSubscriber::name, SupervisedSubscriber::isReceiving));
    }

    /** All at once: each waits for its own handlers. */
    @Override
    public void close() {
        supervisor.shutdownNow();
        subscribers.parallelStream().forEach(SupervisedSubscriber::close);
    }
}
