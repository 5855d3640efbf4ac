package dev.postrider.examples.shop;

import org.springframework.data.jpa.repository.JpaRepository;

/** The orders. */
public interface OrderRepository extends JpaRepository<CustomerOrder, Long> {}
