package dev.postrider.prove.check;

import java.util.Optional;

/** A message as it lies at the broker; the same one may lie there several times. */
public record Arrival(String id, Optional<String> key, long n) {}
