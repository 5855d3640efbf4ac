package dev.postrider.springtests;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import java.util.function.Consumer;

/** An order as JPA maps it. */
@Entity
@Table(name = "orders")
public class OrderRow {

    @Id
    private String id;

    private String status;

    @Transient
    private transient Consumer<String> callback = phase -> {};

    protected OrderRow() {}

    OrderRow(String id, String status) {
        this.id = id;
        this.status = status;
    }

    String status() {
        return status;
    }

    void setStatus(String value) {
        this.status = value;
    }

    void onCallback(Consumer<String> value) {
        this.callback = value;
    }

    @PreUpdate
    void beforeUpdate() {
        callback.accept("before");
    }

    @PostUpdate
    void afterUpdate() {
        callback.accept("after");
    }
}
