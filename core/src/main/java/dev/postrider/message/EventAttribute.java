package dev.postrider.message;

import java.time.DateTimeException;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

/** The name of a CloudEvents attribute and the form of its values. */
final class EventAttribute {

    static final EventAttribute SOURCE = new EventAttribute("source", EventAttribute::uriReference);
    static final EventAttribute TYPE = new EventAttribute("type", EventAttribute::text);

    private static final Map<String, EventAttribute> SPECIFIED = Map.of(
            "specversion", new EventAttribute("specversion", EventAttribute::version),
            "id", new EventAttribute("id", EventAttribute::text),
            "source", SOURCE,
            "type", TYPE,
            "subject", new EventAttribute("subject", EventAttribute::text),
            "time", new EventAttribute("time", EventAttribute::timestamp),
            "dataschema", new EventAttribute("dataschema", EventAttribute::uri));

    /** Headers without a prefix that are extensions nevertheless. */
    private static final Set<String> BARE_EXTENSIONS =
            Set.of(Headers.AGGREGATE_TYPE, Headers.CORRELATION_ID, Headers.CAUSATION_ID);

    private static final Set<String> OWN_FIELDS = Set.of("specversion", "id", "type");

    private final String name;
    private final UnaryOperator<String> check;

    private EventAttribute(String name, UnaryOperator<String> check) {
        this.name = name;
        this.check = check;
    }

    /** The attribute of this name, which need not be in the specification but must have its form. */
    static EventAttribute named(String name) {
        EventAttribute specified = SPECIFIED.get(name);
        return specified != null
                ? specified
                : new EventAttribute(checkedName(name), value -> withoutControlCharacters(value));
    }

    /** Whether a header stands for an attribute. */
    static boolean isAttribute(String header) {
        return header.startsWith(Headers.EXTENSION_PREFIX) || BARE_EXTENSIONS.contains(header);
    }

    /** The attribute that such a header stands for. */
    static String nameOf(String header) {
        return header.startsWith(Headers.EXTENSION_PREFIX)
                ? header.substring(Headers.EXTENSION_PREFIX.length())
                : header;
    }

    /** The header that stands for an attribute; empty for those that are fields of the message. */
    static Optional<String> headerOf(String attribute) {
        if (OWN_FIELDS.contains(attribute)) {
            return Optional.empty();
        }
        return Optional.of(BARE_EXTENSIONS.contains(attribute) ? attribute : Headers.EXTENSION_PREFIX + attribute);
    }

    /** Whether a header stands beside the attributes and is sent as it is. */
    static boolean isPlain(String header) {
        return !isAttribute(header) && !header.equals(Headers.AS_WRITTEN);
    }

    /** The name of an attribute of another system, in any form that cannot be taken for something else. */
    static String anyName(String name) {
        if (name.isEmpty() || name.equals("data") || name.equals("datacontenttype")) {
            throw new InvalidMessageException(
                    "headers", "have the attribute '" + name + "', which an event cannot have");
        }
        return name;
    }

    static boolean isInSpecification(String name) {
        return SPECIFIED.containsKey(name);
    }

    /** The value, if it is valid for this attribute. */
    String checked(String value) {
        try {
            return check.apply(value);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidMessageException(
                    "headers", "give the CloudEvents attribute " + name + " a value that " + invalid.getMessage());
        }
    }

    private static String checkedName(String name) {
        boolean isValid = !name.isEmpty() && Characters.OF_NAMES.allow(name);
        if (!isValid || name.equals("data") || name.equals("datacontenttype")) {
            throw new InvalidMessageException(
                    "headers",
                    "have the CloudEvents attribute '" + name
                            + "'; the name of an extension has lower-case letters and digits only, and is not data");
        }
        return name;
    }

    private static String version(String value) {
        return require(value, value.equals(CloudEventAttributes.SPEC_VERSION), "is not 1.0");
    }

    private static String text(String value) {
        require(value, !value.isEmpty(), "is empty");
        return withoutControlCharacters(value);
    }

    private static String withoutControlCharacters(String value) {
        return require(value, Characters.OF_TEXT.allow(value), "has a line break or control character");
    }

    private static String timestamp(String value) {
        try {
            if (!UsualTimestamp.is(value)) {
                DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(value);
            }
            return value;
        } catch (DateTimeException unreadable) {
            throw new IllegalArgumentException("is no timestamp such as 2026-01-31T12:00:00Z", unreadable);
        }
    }

    private static String uriReference(String value) {
        require(value, !value.isEmpty(), "is empty");
        return require(
                value,
                Characters.OF_URIS.allow(value),
                "is no URI reference; escape spaces and characters outside of ASCII");
    }

    private static String uri(String value) {
        uriReference(value);
        return require(value, value.indexOf(':') > 0, "is no absolute URI: it has no scheme");
    }

    private static String require(String value, boolean condition, String problem) {
        if (!condition) {
            throw new IllegalArgumentException(problem);
        }
        return value;
    }

    /**
     * The characters that a text may contain, as a table: this is asked of every message, and a predicate for each character took a
     * tenth of the time of sending it. Immutable.
     */
    private static final class Characters {

        /** Lower-case letters and digits. */
        static final Characters OF_NAMES = new Characters(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'), false);

        /** All but control characters. */
        static final Characters OF_TEXT = new Characters(c -> !Character.isISOControl(c), true);

        /** Those of URI references. */
        static final Characters OF_URIS =
                new Characters(c -> c > ' ' && c < 0x7F && "\"<>\\^`{|}".indexOf(c) < 0, false);

        /** Behind it there are no control characters any more. */
        private static final int TABLE_SIZE = 0xA0;

        private final boolean[] isAllowed = new boolean[TABLE_SIZE];
        private final boolean areOthersAllowed;

        private Characters(IntPredicate allowed, boolean areOthersAllowed) {
            for (int c = 0; c < TABLE_SIZE; c++) {
                isAllowed[c] = allowed.test(c);
            }
            this.areOthersAllowed = areOthersAllowed;
        }

        /** Whether the text has no other characters. */
        boolean allow(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c < TABLE_SIZE ? !isAllowed[c] : !areOthersAllowed) {
                    return false;
                }
            }
            return true;
        }
    }
}
