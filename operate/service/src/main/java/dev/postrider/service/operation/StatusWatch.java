package dev.postrider.service.operation;

import dev.postrider.service.database.TableCounters;
import dev.postrider.service.database.TableCounters.Sample;
import dev.postrider.spi.OutboxStore;
import java.util.Optional;

/** Reads how an outbox stands again and again, with the rates since the time before. For one thread. */
public final class StatusWatch {

    private final String name;
    private final OutboxStore store;
    private final TableCounters counters;
    private Optional<Sample> last;

    public StatusWatch(String name, OutboxStore store, TableCounters counters) {
        this.name = name;
        this.store = store;
        this.counters = counters;
        this.last = counters.read();
    }

    /** Whether the database counts, so that rates can be told. */
    public boolean counts() {
        return last.isPresent();
    }

    public OutboxStatus read() {
        return OutboxStatus.read(name, store, rates());
    }

    /** The rates alone, since they were last asked for. */
    public Optional<Rates> rates() {
        Optional<Sample> now = counters.read();
        Optional<Rates> rates = last.flatMap(before -> now.map(after -> Rates.between(before, after)));
        last = now;
        return rates;
    }
}
