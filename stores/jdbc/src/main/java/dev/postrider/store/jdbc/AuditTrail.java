package dev.postrider.store.jdbc;

/** Whether delivered messages are kept, and how. */
public enum AuditTrail {
    /** Delivered messages are deleted. The default. */
    NONE,
    /** They are moved to a plain table. */
    PLAIN,
    /** They are moved to a table partitioned by delivery time, whose old partitions can be dropped at once. */
    PARTITIONED
}
