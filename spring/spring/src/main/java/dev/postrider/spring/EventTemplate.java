package dev.postrider.spring;

import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * A text with expressions whose root is an event. Thread-safe.
 *
 * @param place where it stands, for errors
 */
record EventTemplate(String place, Expression expression, EvaluationContext context) {

    /** @throws IllegalArgumentException if it cannot be read */
    static EventTemplate parse(String place, String text, EvaluationContext context) {
        if (text.contains("${")) {
            throw new IllegalArgumentException(
                    "The " + place + " has a placeholder: " + text
                            + ". Give the outbox the bean factory that resolves it: SpringOutbox.builder(…).beanFactory(beanFactory)");
        }
        try {
            return new EventTemplate(
                    place,
                    new SpelExpressionParser().parseExpression(text, ParserContext.TEMPLATE_EXPRESSION),
                    context);
        } catch (ParseException | IllegalStateException failure) {
            throw new IllegalArgumentException(
                    "The " + place + " is no valid expression: " + text + ". " + failure.getMessage(), failure);
        }
    }

    /** @throws IllegalArgumentException if it, or an expression in it, fails, or is null or empty for this event */
    String of(Object event) {
        if (expression instanceof CompositeStringExpression parts) {
            // By itself, an expression that gives null would leave a gap, and events without an id would share a key.
            StringBuilder text = new StringBuilder();
            for (Expression part : parts.getExpressions()) {
                text.append(value(part, event));
            }
            return text.toString();
        }
        return value(expression, event);
    }

    private String value(Expression part, Object event) {
        String value;
        try {
            value = part.getValue(context, event, String.class);
        } catch (EvaluationException failure) {
            throw new IllegalArgumentException(
                    "The " + place + " cannot be evaluated: " + part.getExpressionString() + ". "
                            + failure.getMessage(),
                    failure);
        }
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("The " + place + " is " + (value == null ? "null" : "empty") + ": "
                    + part.getExpressionString()
                    + ". An event that has none needs a class without this attribute");
        }
        return value;
    }
}
