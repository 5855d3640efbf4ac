package dev.postrider.examples.shop;

import org.springframework.data.jpa.repository.JpaRepository;

/** The invoices. */
public interface InvoiceRepository extends JpaRepository<Invoice, Long> {}
