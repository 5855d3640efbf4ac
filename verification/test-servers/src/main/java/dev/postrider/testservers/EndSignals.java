package dev.postrider.testservers;

/**
 * Names of signals, without SIG.
 *
 * @param clean ends the server so that its next start needs no recovery
 * @param fast ends it when its data is no longer needed, and leaves nothing behind in the system
 */
record EndSignals(String clean, String fast) {}
