package dev.postrider.testkit;

import dev.postrider.message.MessageLimits;

/** One part of {@link StoreContract}. */
interface ContractPart {

    /** Drives the usual store: four lanes, default limits, no audit trail. */
    StoreDriver driver();

    /** Drives a store of another kind; instead of {@link #driver()}, and before anything else. */
    StoreDriver driver(StoreFixture.Setup setup);

    /** Drives a store with one lane, for global order. */
    default StoreDriver driverWithOneLane() {
        return driver(new StoreFixture.Setup(1, MessageLimits.defaults(), false));
    }

    /** Drives a store that keeps what was delivered. */
    default StoreDriver driverWithAuditTrail() {
        return driver(new StoreFixture.Setup(4, MessageLimits.defaults(), true));
    }

    /** Drives a store with small limits. */
    default StoreDriver driverWithLimits(MessageLimits limits) {
        return driver(new StoreFixture.Setup(4, limits, false));
    }
}
