package dev.postrider.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Runs the same work on several threads. Stateless. */
public final class Threads {

    private Threads() {}

    /** Starts this many at once, waits for all, and returns the sum of what they return. */
    public static long run(int threads, IntFunction<Callable<Integer>> work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Integer>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                all.add(work.apply(thread));
            }
            long sum = 0;
            for (Future<Integer> done : executor.invokeAll(all)) {
                sum += done.get();
            }
            return sum;
        } finally {
            executor.shutdownNow();
        }
    }
}
