package dev.postrider.service.doctor;

import dev.postrider.spi.Finding;
import java.util.List;

/**
 * One check that was made.
 *
 * @param subject the outbox or destination, such as {@code outbox orders}
 * @param check what was looked at
 * @param findings what is not as it should be, the worst first; empty when all is well
 */
public record Examined(String subject, String check, List<Finding> findings) {

    public Examined {
        findings = findings.stream()
                .sorted((a, b) -> b.severity().compareTo(a.severity()))
                .toList();
    }
}
