package dev.postrider.destination.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class TopicLinesTest {

    private static final int THREADS = 4;

    /** With nobody to serve a line its records would wait for ever; with two they could pass each other. */
    @Test
    void tellsExactlyOneOfManyThreadsThatItHasOpenedALine() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < 20_000; round++) {
                TopicLines lines = new TopicLines();
                CyclicBarrier together = new CyclicBarrier(THREADS);
                Callable<Boolean> opening = () -> {
                    together.await();
                    return lines.open(sending());
                };
                int openers = 0;
                for (Future<Boolean> isOpener : threads.invokeAll(copies(opening))) {
                    openers += isOpener.get() ? 1 : 0;
                }
                assertThat(openers).as("round " + round).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Callable<Boolean>> copies(Callable<Boolean> task) {
        List<Callable<Boolean>> copies = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            copies.add(task);
        }
        return copies;
    }

    private static OutgoingRecord sending() {
        return new OutgoingRecord(
                new ProducerRecord<>("orders", new byte[1]), true, Optional.empty(), Duration.ofMinutes(1));
    }
}
