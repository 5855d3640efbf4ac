package dev.postrider.spring.boot.guide;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The application at the top of the guide does what stands there. */
@ExtendWith(OutputCaptureExtension.class)
class FirstEventTest {

    @Test
    void isInTheLog(CapturedOutput output) throws InterruptedException {
        try (var shop = SpringApplication.run(
                Shop.class,
                "--spring.datasource.generate-unique-name=true",
                "--logging.level.dev.postrider=info",
                "--postrider.schema-mode=create",
                "--postrider.destinations.log.type=log")) {
            assertThat(shop.isRunning()).isTrue();
            long end = System.nanoTime() + 90_000_000_000L;
            while (!output.getOut().contains("key 17") && System.nanoTime() < end) {
                Thread.sleep(10);
            }
            assertThat(output.getOut()).contains("of destination log: topic orders, key 17, type");
        }
    }
}
