package dev.postrider.testservers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** A test of MySQL that says nothing about TiDB, or that TiDB cannot pass. The profile {@code tidb} skips it and reports why. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NotOnTidb.Condition.class)
public @interface NotOnTidb {

    /** Why. */
    String value();

    /** Asks for the profile. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return Servers.isTidbForMysql()
                    ? AnnotationSupport.findAnnotation(context.getElement(), NotOnTidb.class)
                            .map(reason -> ConditionEvaluationResult.disabled("not on TiDB: " + reason.value()))
                            .orElseGet(() -> ConditionEvaluationResult.enabled("nothing against TiDB"))
                    : ConditionEvaluationResult.enabled("not on TiDB");
        }
    }
}
