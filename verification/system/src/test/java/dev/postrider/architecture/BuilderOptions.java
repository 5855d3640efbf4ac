package dev.postrider.architecture;

import dev.postrider.message.MessageIdGenerator;
import dev.postrider.message.MessageLimits;
import dev.postrider.relay.Backoff;
import dev.postrider.spi.ReceiverListener;
import dev.postrider.spi.TraceContext;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
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
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("includeDead", "deadLetterRetention"),
            Map.entry("listener", "listeners"),
            Map.entry("createTopics", "topicCreation"),
            Map.entry("property", "given"),
            Map.entry("properties", "given"),
            Map.entry("credentials", "user"),
            Map.entry("lenient", "isLenient"),
            Map.entry("customize", "customizer"),
            Map.entry("createStream", "streamToCreate"),
            Map.entry("exchange", "routing"),
            Map.entry("exchangeFromType", "routing"),
            Map.entry("routingKey", "routing"),
            Map.entry("transientDelivery", "isPersistent"),
            Map.entry("allowInternalTopics", "allowsInternalTopics"),
            Map.entry("allowReorderingOnRefusal", "allowsReorderingOnRefusal"),
            Map.entry("declareExchanges", "declaresExchanges"),
            Map.entry("declareTopology", "declaresTopology"),
            Map.entry("quorumQueues", "isQuorum"),
            Map.entry("singleActiveConsumer", "hasSingleActiveConsumer"),
            Map.entry("bindEvents", "bindsTypes"),
            Map.entry("bindTo", "bindings"),
            Map.entry("requeue", "isRequeuing"),
            Map.entry("withoutDeadLetterExchange", "hasDeadLetters"),
            Map.entry("withoutWaitTable", "waitTable"),
            Map.entry("withoutParkingTable", "parkingTable"),
            Map.entry("retryPause", "pauses"),
            Map.entry("retryPauses", "pauses"),
            Map.entry("retryTopics", "retryDelays"));

    /** Which set several fields, and none of them if they are not called. */
    private static final Set<String> SHORTHANDS = Set.of("uri");

    /** Which switch off what the field says. */
    private static final Set<String> NEGATIONS =
            Set.of("withoutDeadLetterExchange", "withoutWaitTable", "withoutParkingTable", "transientDelivery");

    static BuilderOptions of(Object builder) {
        return new BuilderOptions(builder);
    }

    Set<String> names() {
        Set<String> names = new TreeSet<>();
        setters().forEach(setter -> names.add(option(setter)));
        return names;
    }

    private Stream<Method> setters() {
        return Stream.of(builder.getClass().getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && method.getReturnType() != Object.class)
                .filter(method -> method.getReturnType().isInstance(builder));
    }

    private static String option(Method setter) {
        String name = setter.getName();
        return name.matches("with[A-Z].*") ? name.substring(4, 5).toLowerCase(Locale.ROOT) + name.substring(5) : name;
    }

    /** The setter with one argument, if there is one. */
    Optional<Method> setter(String option) {
        return setters()
                .filter(setter -> option(setter).equals(option) && setter.getParameterCount() == 1)
                .findFirst();
    }

    /** As the page writes it. */
    String defaultOf(String option) {
        try {
            if (SHORTHANDS.contains(option)) {
                return "none";
            }
            String other = FIELDS.getOrDefault(option, option);
            Object value = valueOf(hasField(other) ? other : option);
            return text(NEGATIONS.contains(option) ? (Object) value.equals(false) : value);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("No field or accessor for option " + option + " of " + builder, failure);
        }
    }

    private boolean hasField(String name) {
        return Stream.<Class<?>>iterate(builder.getClass(), type -> type != null, Class::getSuperclass)
                .flatMap(type -> Stream.of(type.getDeclaredFields()))
                .anyMatch(field -> field.getName().equals(name));
    }

    private Object valueOf(String field) throws ReflectiveOperationException {
        for (Class<?> type = builder.getClass(); type != null; type = type.getSuperclass()) {
            if (Stream.of(type.getDeclaredFields())
                    .anyMatch(each -> each.getName().equals(field))) {
                return read(type, builder, field);
            }
        }
        Object options = read(builder.getClass(), builder, "options");
        return options.getClass().getMethod(field).invoke(options);
    }

    private static Object read(Class<?> type, Object owner, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    private static String text(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(BuilderOptions::text).orElse("none");
        } else if (value instanceof Duration duration) {
            return Words.of(duration);
        } else if (value.equals(Integer.MAX_VALUE) || value == ReceiverListener.NONE || value == TraceContext.NONE) {
            return "none";
        } else if (value instanceof Number number) {
            return String.format(Locale.ROOT, "%,d", number.longValue());
        } else if (value.equals("") || value.equals(Map.of())) {
            return "none";
        } else if (value instanceof Iterable<?> several) {
            return several.iterator().hasNext() ? words(several) : "none";
        } else if (value instanceof MessageLimits limits) {
            return limits.equals(MessageLimits.defaults()) ? "`MessageLimits.defaults()`" : limits.toString();
        } else if (value instanceof Backoff backoff) {
            return exponential(backoff);
        } else if (value instanceof MessageIdGenerator || isInternal(value.getClass())) {
            return "see meaning";
        }
        return "`" + value + "`";
    }

    private static String words(Iterable<?> several) {
        List<String> words = new ArrayList<>();
        several.forEach(each -> words.add(each instanceof Duration time ? Words.of(time) : each.toString()));
        return words.toString();
    }

    private static boolean isInternal(Class<?> type) {
        boolean hasNoName = type.isAnonymousClass() && !Enum.class.isAssignableFrom(type);
        return type.isSynthetic() || hasNoName || Set.of("Routing", "Backoff").contains(type.getSimpleName());
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
