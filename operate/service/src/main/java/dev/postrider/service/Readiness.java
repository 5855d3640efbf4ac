package dev.postrider.service;

import dev.postrider.relay.UnavailablePlace;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Which outboxes are not being delivered as they should, and why. Answers within a second whatever the databases do, and asks them
 * at most once a second, however often it is asked. Thread-safe.
 */
final class Readiness {

    private static final Duration FRESH = Duration.ofSeconds(1);
    /** How long an answer counts while the next one takes its time. */
    private static final Duration USABLE = Duration.ofSeconds(5);

    private static final String TAKES_NO_MESSAGES = "takes no messages; the log and 'postrider status' say why";
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final List<Asked> all;
    private final LongSupplier nanoTime;

    Readiness(List<OutboxRunner> runners) {
        this(
                runners.stream()
                        .map(runner -> new Subject(runner.name(), runner::problem, runner::unavailablePlaces))
                        .toList(),
                System::nanoTime);
    }

    Readiness(List<Subject> subjects, LongSupplier nanoTime) {
        this.all = subjects.stream().map(Asked::new).toList();
        this.nanoTime = nanoTime;
    }

    /**
     * Places that take no messages: that is for people to know, and no reason to restart a relay. Why is not told here, since a reason may name
     * the broker's address or user.
     */
    Map<String, String> unavailablePlaces() {
        Map<String, String> places = new LinkedHashMap<>();
        for (Asked asked : all) {
            Subject subject = asked.subject;
            for (UnavailablePlace place : subject.unavailablePlaces().get()) {
                String where =
                        "outbox %s, destination %s, %s".formatted(subject.name(), place.destination(), place.place());
                places.put(where, TAKES_NO_MESSAGES);
            }
        }
        return places;
    }

    /** By name of the outbox: what is wrong, if anything is. */
    Map<String, Optional<String>> problems() {
        List<CompletableFuture<Void>> running =
                all.stream().map(Asked::askIfOld).toList();
        CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        Map<String, Optional<String>> problems = new LinkedHashMap<>();
        all.forEach(asked -> problems.put(asked.subject.name(), asked.problem()));
        return problems;
    }

    /**
     * An outbox that can be asked about its delivery.
     *
     * @param problem what is wrong with it; the answer may take long
     * @param unavailablePlaces answered at once
     */
    record Subject(
            String name, Supplier<Optional<String>> problem, Supplier<List<UnavailablePlace>> unavailablePlaces) {}

    /** What is known of one subject; one thread at a time asks it. */
    private final class Asked {

        private final Subject subject;
        private Optional<String> known = Optional.empty();
        private long knownAt;
        private boolean isKnown;
        private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

        Asked(Subject subject) {
            this.subject = subject;
        }

        synchronized CompletableFuture<Void> askIfOld() {
            if (running.isDone() && !isYoungerThan(FRESH)) {
                running = CompletableFuture.runAsync(this::ask, Asked::onOwnThread);
            }
            return running;
        }

        private static void onOwnThread(Runnable task) {
            Thread thread = new Thread(task, "postrider-ready");
            thread.setDaemon(true);
            thread.start();
        }

        private void ask() {
            Optional<String> answer = subject.problem().get();
            synchronized (this) {
                known = answer;
                knownAt = nanoTime.getAsLong();
                isKnown = true;
            }
        }

        private boolean isYoungerThan(Duration age) {
            return isKnown && nanoTime.getAsLong() - knownAt <= age.toNanos();
        }

        synchronized Optional<String> problem() {
            return isYoungerThan(USABLE) ? known : Optional.of("the database does not answer");
        }
    }
}
