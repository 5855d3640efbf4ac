package shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/** An order; its version counts its changes. */
@Entity
@Table(name = "placed_order")
public class PlacedOrder {

    @Id
    private String id;

    @Version
    private Long version;

    private int changes;

    protected PlacedOrder() {}

    public PlacedOrder(String id) {
        this.id = id;
        this.changes = 1;
    }

    public String id() {
        return id;
    }

    public int changes() {
        return changes;
    }

    public void change() {
        changes++;
    }
}
