package dev.postrider.micrometer;

import dev.postrider.spi.OutboxStore;
import dev.postrider.testkit.InMemoryOutboxStore;
import java.time.Clock;
import javax.sql.DataSource;

class InMemoryRelayMetricsTest extends RelayMetricsContract {

    private final InMemoryOutboxStore store = new InMemoryOutboxStore(4, Clock.systemUTC());

    @Override
    OutboxStore store() {
        return store;
    }

    @Override
    DataSource dataSource() {
        return store.dataSource();
    }
}
