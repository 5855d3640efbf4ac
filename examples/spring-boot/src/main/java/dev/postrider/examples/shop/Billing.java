package dev.postrider.examples.shop;

import dev.postrider.spring.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Writes an invoice for each order, once, however often its event arrives: the inbox is in the same transaction. */
@Component
@Profile("!h2")
public class Billing {

    private static final Logger LOG = LoggerFactory.getLogger(Billing.class);

    private final InvoiceRepository invoices;

    public Billing(InvoiceRepository invoices) {
        this.invoices = invoices;
    }

    @EventHandler(subscriber = "billing")
    public void bill(OrderPlaced order) {
        invoices.save(new Invoice(order.id(), order.quantity() * 10));
        LOG.info("Invoice for order {}: {} of {}", order.id(), order.quantity(), order.item());
    }
}
