package dev.postrider.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A comparison that ends at the first difference tells by its time how much of a secret is right. */
class SecretsTest {

    @Test
    void theConsoleComparesTokensInATimeThatTellsNothing() {
        JavaMethod grant = OurClasses.ALL.get("dev.postrider.console.TokenAccess").getMethods().stream()
                .filter(method -> method.getName().equals("grant"))
                .filter(method -> method.getRawReturnType().getSimpleName().equals("Grant"))
                .findFirst()
                .orElseThrow();
        Set<String> called = grant.getMethodCallsFromSelf().stream()
                .map(call -> call.getTargetOwner().getSimpleName() + "." + call.getName())
                .collect(Collectors.toSet());

        assertThat(called).contains("MessageDigest.isEqual");
        assertThat(called)
                .noneMatch(name -> List.of("equals", "compareTo", "compare", "mismatch", "hashCode", "get", "contains")
                        .contains(name.replaceAll(".*\\.", "")));
    }
}
