package dev.postrider.bus.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.bus.HandleInterceptor;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TimeoutInterceptorTest extends InterceptedEvents {

    @Test
    void interruptsAHandlerThatTakesTooLong() {
        try (TimeoutInterceptor timeout = new TimeoutInterceptor(Duration.ofMillis(50))) {
            handle(timeout, (event, context) -> new CountDownLatch(1).await());

            publish("a");

            assertThat(parkedReason()).contains("took longer than 50 ms");
        }
    }

    @Test
    void leavesNoInterruptBehind() throws Exception {
        try (TimeoutInterceptor timeout = new TimeoutInterceptor(Duration.ofMillis(50))) {
            HandleInterceptor around = (event, context, next) -> {
                timeout.intercept(event, context, next);
                seen.add("after " + Thread.currentThread().isInterrupted());
            };
            handle(around, (event, context) -> {
                // Ignores the interrupt and still ends well.
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
            });

            publish("slow");

            assertThat(next()).isEqualTo("after false");
        }
    }
}
