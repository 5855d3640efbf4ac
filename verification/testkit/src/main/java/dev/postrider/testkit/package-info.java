/**
 * For tests of code that uses or extends Postrider: an in-memory store under a test clock, scripted destinations, fault
 * injection, assertions, and the contract suites that every store, destination and receiver must pass.
 *
 * <p>Start at {@link dev.postrider.testkit.InMemoryOutboxStore} to test a service, at {@code StoreContract} to test a store, at
 * {@code DestinationContract} or {@code BrokerContract} to test a destination, at {@code ReceiverContract} to test a receiver.
 */
@NullMarked
package dev.postrider.testkit;

import org.jspecify.annotations.NullMarked;
