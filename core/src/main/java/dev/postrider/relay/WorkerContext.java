package dev.postrider.relay;

/** What most parts of one worker share. Confined to the worker's thread, except for what all parts of the relay share. */
record WorkerContext(RelayContext relay, WorkerGates gates, Agenda agenda) {}
