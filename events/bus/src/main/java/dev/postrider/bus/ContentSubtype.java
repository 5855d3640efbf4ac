package dev.postrider.bus;

import java.util.Locale;
import java.util.Optional;

/**
 * The part of a content type that selects a codec: {@code json} of {@code application/json} and of
 * {@code application/cloudevents+json}.
 */
final class ContentSubtype {

    private static final String APPLICATION = "application/";
    private static final String CLOUD_EVENTS = "cloudevents";

    private ContentSubtype() {}

    /** The subtype in lower case and without parameters; empty for a content type that selects none. */
    static Optional<String> of(String contentType) {
        String bare = withoutParameters(contentType).toLowerCase(Locale.ROOT);
        if (!bare.startsWith(APPLICATION)) {
            return Optional.empty();
        }
        String subtype = withoutEnvelope(bare.substring(APPLICATION.length()));
        return subtype.isEmpty() ? Optional.empty() : Optional.of(subtype);
    }

    private static String withoutParameters(String contentType) {
        int parameters = contentType.indexOf(';');
        return (parameters < 0 ? contentType : contentType.substring(0, parameters)).strip();
    }

    private static String withoutEnvelope(String subtype) {
        if (subtype.equals(CLOUD_EVENTS)) {
            return "";
        }
        return subtype.startsWith(CLOUD_EVENTS + "+") ? subtype.substring(CLOUD_EVENTS.length() + 1) : subtype;
    }
}
