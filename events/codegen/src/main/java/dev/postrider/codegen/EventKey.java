package dev.postrider.codegen;

import java.util.Optional;

/**
 * Where the key of an event comes from; at most one of them.
 *
 * @param getter the method that returns the value of the key field
 * @param attribute the name of an attribute of the event
 * @param isService the name of the service is the key of all its events, unless a publisher says otherwise
 */
record EventKey(Optional<String> getter, Optional<String> attribute, boolean isService) {}
