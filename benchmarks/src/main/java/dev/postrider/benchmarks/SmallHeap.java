package dev.postrider.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** The process of {@link MemoryScenario}: drains an outbox and prints the rate. */
final class SmallHeap {

    private SmallHeap() {}

    /** Arguments: store, URL, user, password and how many messages there are. */
    public static void main(String[] arguments) throws InterruptedException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(arguments[1]);
        config.setUsername(arguments[2]);
        config.setPassword(arguments[3]);
        try (HikariDataSource dataSource = new HikariDataSource(config)) {
            BenchStore store = BenchStore.valueOf(arguments[0]);
            System.out.println(RelayDrain.drain(store.open(dataSource), Long.parseLong(arguments[4])));
        }
    }
}
