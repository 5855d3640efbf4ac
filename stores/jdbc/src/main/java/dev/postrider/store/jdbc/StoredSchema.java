package dev.postrider.store.jdbc;

/**
 * What the tables of an outbox were created with, as their meta table says. A tool that is told nothing but where an outbox
 * is opens it with these.
 */
public record StoredSchema(int version, int lanes, PayloadFormat payload, AuditTrail audit) {}
