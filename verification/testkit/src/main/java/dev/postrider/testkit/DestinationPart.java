package dev.postrider.testkit;

/** One part of {@link DestinationContract}. */
interface DestinationPart {

    /** Drives a new destination, which is closed after the test. */
    DestinationDriver driver();
}
