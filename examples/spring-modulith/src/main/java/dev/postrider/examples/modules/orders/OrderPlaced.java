package dev.postrider.examples.modules.orders;

import org.springframework.modulith.events.Externalized;

/** For the module stock, and for the world outside: topic orders, and the id as key. */
@Externalized("orders::#{#this.id()}")
public record OrderPlaced(String id, int quantity) {}
