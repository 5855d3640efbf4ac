package shop;

import dev.postrider.spring.EventHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Writes down what arrives; its transaction is that of the inbox. */
@Component
public class Billing {

    private final JdbcClient jdbc;

    public Billing(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @EventHandler(subscriber = "billing")
    public void bill(OrderChanged event) {
        jdbc.sql("insert into bill (order_id, change) values (?, ?)")
                .params(event.orderId(), event.change())
                .update();
    }
}
