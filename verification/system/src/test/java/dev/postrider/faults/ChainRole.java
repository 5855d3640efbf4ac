package dev.postrider.faults;

/** Which part of the chain from outbox to inbox a process plays. */
enum ChainRole {
    RELAY,
    CONSUMER
}
