package shop;

import dev.postrider.spring.OutboxEvent;

/**
 * An order was placed or changed.
 *
 * @param change counted from 1, which is its placing
 */
@OutboxEvent(topic = "${TOPIC}", key = "#{orderId}")
public record OrderChanged(String orderId, int change) {}
