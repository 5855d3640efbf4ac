package dev.postrider.store.existing;

import dev.postrider.message.MessageLimits;
import dev.postrider.spi.Ordering;
import dev.postrider.spi.WakeSignal;
import java.util.Set;

/** What a store of existing tables promises of itself. */
record StoreSettings(MessageLimits limits, int lanes, Set<Ordering> orderings, WakeSignal wakeSignal) {}
