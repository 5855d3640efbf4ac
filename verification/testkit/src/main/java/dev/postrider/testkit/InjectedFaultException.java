package dev.postrider.testkit;

import dev.postrider.spi.StoreException;

/** A failure that a {@link FaultInjector} asked for. */
public final class InjectedFaultException extends StoreException {

    private static final long serialVersionUID = 1L;

    InjectedFaultException(String operation, String when) {
        super("Injected fault " + when + " the effect of " + operation);
    }
}
