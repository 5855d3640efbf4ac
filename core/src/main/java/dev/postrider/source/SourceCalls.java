package dev.postrider.source;

import dev.postrider.spi.StoreException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the user's source, and tells its failures apart from ours. */
record SourceCalls<T>(String name, MessageSource<T> source) {

    private static final Logger LOG = LoggerFactory.getLogger(SourceOutboxStore.class);

    List<T> fetch(int limit) {
        List<T> items = run("fetch", () -> source.fetch(limit));
        if (items == null) {
            throw new StoreException("The source " + name + " returned null from fetch; return an empty list");
        }
        return items;
    }

    void acknowledge(List<Tracked<T>> items) {
        if (!items.isEmpty()) {
            run("acknowledge", () -> {
                source.acknowledge(items.stream().map(tracked -> tracked.value).toList());
                return items;
            });
        }
    }

    /** Returns whether the source knows now; a failure must not keep other messages waiting. */
    boolean giveUp(Tracked<T> dead) {
        try {
            return run("giveUp", () -> {
                source.giveUp(dead.value, dead.reason, dead.error);
                return true;
            });
        } catch (StoreException failure) {
            LOG.warn("{}; it is told again later", failure.getMessage(), failure.getCause());
            return false;
        }
    }

    private <R> R run(String operation, Call<R> call) {
        try {
            return call.run();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw failed(operation, interrupted);
        } catch (Exception failure) {
            throw failed(operation, failure);
        }
    }

    private StoreException failed(String operation, Exception failure) {
        return new StoreException("The source " + name + " failed to " + operation + ": " + failure, failure);
    }

    @FunctionalInterface
    private interface Call<R> {
        R run() throws Exception;
    }
}
