package dev.postrider.store.jdbc;

/** What a store does about its tables when it is built. */
public enum SchemaMode {
    /** Creates or upgrades them. Safe when several processes start at once. */
    CREATE,
    /** Checks that they are there, in this version and with this lane count; else refuses to start. The default. */
    VERIFY,
    /** Nothing at all: for a user who may not even read the catalogue. */
    NONE
}
