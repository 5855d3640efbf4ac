package dev.postrider.service;

import java.util.regex.Pattern;

/** A topic in which {@code *} stands for any letters. Immutable. */
record TopicPattern(String text, Pattern pattern) {

    static TopicPattern of(String text) {
        String quoted = Pattern.quote(text).replace("*", "\\E.*\\Q");
        return new TopicPattern(text, Pattern.compile(quoted, Pattern.DOTALL));
    }

    boolean matches(String topic) {
        return pattern.matcher(topic).matches();
    }

    boolean matchesAll() {
        return text.equals("*");
    }
}
