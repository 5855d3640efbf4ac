package dev.postrider.examples.shop;

import dev.postrider.spring.OutboxEvent;

/** Somebody has ordered something. */
@OutboxEvent(topic = "orders", key = "#{id}", type = "shop.OrderPlaced")
public record OrderPlaced(long id, String item, int quantity) {}
