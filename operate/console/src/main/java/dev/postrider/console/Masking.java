package dev.postrider.console;

import dev.postrider.internal.HeaderJson;
import dev.postrider.internal.JsonText;
import dev.postrider.service.console.ConsoleSettings.Masked;
import dev.postrider.service.console.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Hides what somebody may not see. What cannot be understood is hidden whole. Immutable. */
final class Masking {

    /** What stands in the place of a hidden value. */
    static final String HIDDEN = "•••";

    private final Set<String> headers;
    private final List<List<String>> pointers;

    Masking(Masked masked) {
        this.headers = masked.headers().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        this.pointers = masked.pointers().stream().map(Masking::segments).toList();
    }

    private static List<String> segments(String pointer) {
        return Arrays.stream(pointer.substring(1).split("/", -1))
                .map(segment -> segment.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    /** Headers as this role sees them: always their names. */
    Map<String, String> headers(Optional<String> stored, Role role) {
        Map<String, String> shown = new LinkedHashMap<>();
        try {
            HeaderJson.read(stored.orElse("{}"))
                    .forEach((name, value) -> shown.put(name, isHidden(name, role) ? HIDDEN : value));
        } catch (IllegalArgumentException unreadable) {
            shown.put("(unreadable)", role.includes(Role.PAYLOADS) && headers.isEmpty() ? stored.orElse("") : HIDDEN);
        }
        return shown;
    }

    private boolean isHidden(String name, Role role) {
        return !role.includes(Role.PAYLOADS) || headers.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Whether payloads are shown as they are. */
    boolean hidesNothing() {
        return pointers.isEmpty();
    }

    /** The payload without what is masked; empty if it cannot be told where that is. */
    Optional<String> payload(String json) {
        try {
            if (!JsonText.isValid(json)) {
                return Optional.empty();
            }
            String masked = json;
            for (List<String> pointer : pointers) {
                masked = mask(masked, pointer);
            }
            return Optional.of(masked);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private static String mask(String value, List<String> pointer) {
        if (pointer.isEmpty()) {
            return '"' + HIDDEN + '"';
        }
        String first = pointer.get(0);
        List<String> rest = pointer.subList(1, pointer.size());
        return switch (value.strip().charAt(0)) {
            case '{' -> maskMembers(value, first, rest);
            case '[' -> maskElements(value, first, rest);
            default -> value;
        };
    }

    private static String maskMembers(String object, String name, List<String> rest) {
        Map<String, String> members = new LinkedHashMap<>();
        JsonText.members(object)
                .forEach((member, value) -> members.put(
                        member, member.equals(name) || name.equals("*") ? mask(value.source(), rest) : value.source()));
        return HeaderJson.write(members, member -> false);
    }

    private static String maskElements(String array, String index, List<String> rest) {
        List<String> elements = new ArrayList<>();
        for (String element : JsonText.elements(array)) {
            boolean isMeant = index.equals("*") || index.equals(String.valueOf(elements.size()));
            elements.add(isMeant ? mask(element, rest) : element);
        }
        return "[" + String.join(",", elements) + "]";
    }
}
