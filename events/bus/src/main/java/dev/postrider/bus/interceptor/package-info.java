/**
 * Ready-made interceptors for publishers and subscribers.
 *
 * <p>A good order, outermost first: logging, metrics, trace, recovery, retry, timeout, validation. Each class says which side it serves.
 */
@NullMarked
package dev.postrider.bus.interceptor;

import org.jspecify.annotations.NullMarked;
