package dev.postrider.servers;

/** What a database server is started for. */
public enum ServerProfile {
    /** Durable commits, little memory: to be killed and restarted. */
    SMALL,
    /** Durable commits, memory for a working set: to be measured. */
    ROOMY,
    /** As {@link #ROOMY}, but a commit does not wait for the disk. */
    RELAXED
}
