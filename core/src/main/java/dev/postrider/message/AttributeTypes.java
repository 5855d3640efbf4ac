package dev.postrider.message;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.JsonText;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which attributes of an event are numbers or truth values; all others are texts. Immutable. */
final class AttributeTypes {

    static final AttributeTypes TEXTS = new AttributeTypes(Map.of());

    private static final String NUMBER = "number";
    private static final String BOOLEAN = "boolean";
    private static final long LARGEST_EXACT_DOUBLE = 1L << 53;

    private final Map<String, String> types;

    private AttributeTypes(Map<String, String> types) {
        this.types = types;
    }

    /**
     * Reads the value of {@link Headers#AS_WRITTEN}.
     *
     * @throws InvalidMessageException if a value has not the type that is said
     */
    static AttributeTypes of(String json, Map<String, String> attributes) {
        try {
            Map<String, String> types = HeaderJson.read(json);
            types.forEach((name, type) -> check(name, type, attributes.get(name)));
            return types.isEmpty() ? TEXTS : new AttributeTypes(types);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidMessageException(
                    "headers", "have a wrong " + Headers.AS_WRITTEN + ": " + invalid.getMessage());
        }
    }

    /** Else anything could be written into a JSON object around it. */
    private static void check(String name, String type, @Nullable String value) {
        boolean isTruth = "true".equals(value) || "false".equals(value);
        boolean fits = type.equals(BOOLEAN) ? isTruth : type.equals(NUMBER) && isNumber(value);
        if (!fits) {
            throw new IllegalArgumentException("attribute " + name + " is no " + type);
        }
    }

    private static boolean isNumber(@Nullable String value) {
        return value != null
                && !value.isEmpty()
                && "-0123456789".indexOf(value.charAt(0)) >= 0
                && JsonText.isValid(value);
    }

    boolean isText(String name) {
        return !types.containsKey(name);
    }

    Object value(String name, String text) {
        String type = types.get(name);
        if (type == null) {
            return text;
        }
        return type.equals(BOOLEAN) ? (Object) Boolean.valueOf(text) : number(text);
    }

    /** As readers of JSON have it who know no integers, which the systems are that write such events; exact where that is not. */
    private static Number number(String text) {
        try {
            long whole = new BigDecimal(text).longValueExact();
            if (Math.abs(whole) > LARGEST_EXACT_DOUBLE) {
                return whole;
            }
        } catch (ArithmeticException | NumberFormatException noWholeNumber) {
            // Below.
        }
        return Double.valueOf(text);
    }
}
