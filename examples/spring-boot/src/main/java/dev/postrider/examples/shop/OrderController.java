package dev.postrider.examples.shop;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. */
@RestController
public class OrderController {

    private final OrderService orders;

    public OrderController(OrderService orders) {
        this.orders = orders;
    }

    @PostMapping("/orders")
    public CustomerOrder place(@RequestBody Wish wish) {
        return orders.place(wish.item(), wish.quantity());
    }

    @ExceptionHandler(IllegalArgumentException.class)
    ProblemDetail refuse(IllegalArgumentException wrong) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, wrong.getMessage());
    }

    /** What somebody wants. */
    public record Wish(String item, int quantity) {}
}
