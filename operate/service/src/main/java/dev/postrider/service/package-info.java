/**
 * The standalone relay: a configuration file becomes outboxes, destinations and relays, with health over HTTP.
 *
 * <p>Start at {@link dev.postrider.service.ServiceConfig}, then {@link dev.postrider.service.RelayService}. What can be set in a
 * file can be set in code; each key of the file is one builder call.
 */
@Internal
@NullMarked
package dev.postrider.service;

import dev.postrider.internal.Internal;
import org.jspecify.annotations.NullMarked;
