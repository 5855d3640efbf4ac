package dev.postrider.architecture;

import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.MessageLimits;
import dev.postrider.relay.Backoff;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The options of a builder, or of a record with {@code withX} methods, and the values that they have when nobody sets them. */
record BuilderOptions(Object builder) {

    /** Where the field is not named as the option. */
    private static final Map<String, String> FIELDS =
            Map.of("includeDead", "deadLetterRetention", "listener", "listeners");

    static BuilderOptions of(Object builder) {
        return new BuilderOptions(builder);
    }

    Set<String> names() {
        Set<String> names = new TreeSet<>();
        setters().forEach(setter -> names.add(option(setter)));
        return names;
    }

    private Stream<Method> setters() {
        return Stream.of(builder.getClass().getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getReturnType() == builder.getClass());
    }

    private static String option(Method setter) {
        String name = setter.getName();
        return name.startsWith("with") ? name.substring(4, 5).toLowerCase(Locale.ROOT) + name.substring(5) : name;
    }

    /** The setter with an argument. */
    Method setter(String option) {
        return setters()
                .filter(setter -> option(setter).equals(option) && setter.getParameterCount() == 1)
                .findFirst()
                .orElseThrow();
    }

    /** As the page writes it. */
    String defaultOf(String option) {
        try {
            return text(valueOf(FIELDS.getOrDefault(option, option)));
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("No field or accessor for option " + option + " of " + builder, failure);
        }
    }

    private Object valueOf(String field) throws ReflectiveOperationException {
        boolean isOwn = Stream.of(builder.getClass().getDeclaredFields())
                .anyMatch(each -> each.getName().equals(field));
        if (isOwn) {
            return read(builder, field);
        }
        Object options = read(builder, "options");
        return options.getClass().getMethod(field).invoke(options);
    }

    private static Object read(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    private static String text(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(BuilderOptions::text).orElse("none");
        } else if (value instanceof Duration duration) {
            return Words.of(duration);
        } else if (value instanceof Number number) {
            return String.format(Locale.ROOT, "%,d", number.longValue());
        } else if (value instanceof Iterable<?> several) {
            return several.iterator().hasNext() ? several.toString() : "none";
        } else if (value instanceof MessageLimits limits) {
            return limits.equals(MessageLimits.defaults()) ? "`MessageLimits.defaults()`" : limits.toString();
        } else if (value instanceof Backoff backoff) {
            return exponential(backoff);
        } else if (value instanceof MessageIdGenerator || value.getClass().isSynthetic()) {
            return "see meaning";
        }
        return "`" + value + "`";
    }

    /** What an exponential back-off with jitter and cap was made of, by asking it often. */
    private static String exponential(Backoff backoff) {
        List<Long> first = IntStream.range(0, 2001)
                .mapToObj(i -> backoff.delay(1).toMillis())
                .sorted()
                .toList();
        Duration cap = IntStream.range(0, 200)
                .mapToObj(i -> backoff.delay(50))
                .max(Duration::compareTo)
                .orElseThrow();
        long base = Math.round(first.get(1000) / 20.0) * 20;
        return "exponential, " + Words.of(Duration.ofMillis(base)) + " to " + Words.of(cap);
    }
}
