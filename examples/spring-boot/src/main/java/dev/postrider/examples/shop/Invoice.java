package dev.postrider.examples.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** What an order costs. */
@Entity
public class Invoice {

    @Id
    private Long orderId;

    private int total;

    protected Invoice() {}

    public Invoice(Long orderId, int total) {
        this.orderId = orderId;
        this.total = total;
    }

    public int getTotal() {
        return total;
    }
}
