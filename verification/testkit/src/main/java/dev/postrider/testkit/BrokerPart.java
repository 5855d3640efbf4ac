package dev.postrider.testkit;

/** One part of {@link BrokerContract}. */
interface BrokerPart extends DestinationPart {

    /** The broker behind all drivers of this test; by default shared with other tests. */
    BrokerFixture broker();

    /** A broker that this test may stop; instead of the shared one, and before anything else. */
    BrokerFixture ownBroker();

    /** Drives a new destination that reaches the broker in this way; it is closed after the test. */
    DestinationDriver driver(BrokerFixture.Access access);
}
