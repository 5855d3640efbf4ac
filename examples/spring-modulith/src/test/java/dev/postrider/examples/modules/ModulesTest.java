package dev.postrider.examples.modules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.Outbox;
import dev.postrider.examples.modules.orders.Orders;
import dev.postrider.examples.modules.stock.Stock;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The example does what its README says. */
@SpringBootTest
@ExtendWith(OutputCaptureExtension.class)
class ModulesTest {

    private static final long PATIENCE = 60_000_000_000L;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private Outbox outbox;

    @Autowired
    private JdbcClient jdbc;

    @Test
    void anEventReachesTheOtherModuleAndTheWorldOutside(CapturedOutput output) throws Exception {
        orders.place("17", 4);
        assertThatThrownBy(() -> orders.place("18", 0)).isInstanceOf(IllegalArgumentException.class);

        await(() -> stock.reserved() == 7 && outbox.stats().undelivered() == 0);
        assertThat(stock.reserved()).as("the first order and this one").isEqualTo(7);
        await(() -> output.toString().contains("key 17,"));
        assertThat(output.toString()).contains("key 17,").doesNotContain("key 18,");
        assertThat(listeners()).as("only the listener inside has publications").isEqualTo(1);
    }

    private long listeners() {
        return jdbc.sql("select count(distinct listener_id) from event_publication")
                .query(Long.class)
                .single();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
    }
}
