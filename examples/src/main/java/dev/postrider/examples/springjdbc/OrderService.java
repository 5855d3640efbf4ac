package dev.postrider.examples.springjdbc;

import dev.postrider.spring.SpringOutbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Business code: it knows of transactions and events, not of connections. Not final, because Spring derives a proxy. */
public class OrderService {

    private final JdbcTemplate jdbc;
    private final SpringOutbox outbox;

    public OrderService(JdbcTemplate jdbc, SpringOutbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    /** The order and its event are committed together, or neither is, whatever throws. */
    @Transactional
    public void place(String id, int total) {
        jdbc.update("INSERT INTO orders (id, total) VALUES (?, ?)", id, total);
        outbox.enqueue(outbox.message("orders")
                .key(id)
                .type("com.example.OrderPlaced")
                .json("{\"total\": " + total + "}")
                .build());
        if (total > 1_000) {
            throw new IllegalArgumentException("too expensive: " + id);
        }
    }
}
