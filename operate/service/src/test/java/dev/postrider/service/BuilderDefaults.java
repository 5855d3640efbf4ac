package dev.postrider.service;

import dev.postrider.relay.Backoff;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The values that a builder has when nobody sets them, as they are written in a configuration file. */
record BuilderDefaults(Object builder) {

    private static final Map<String, Duration> UNITS = Map.of(
            "d", Duration.ofDays(1),
            "h", Duration.ofHours(1),
            "m", Duration.ofMinutes(1),
            "s", Duration.ofSeconds(1),
            "ms", Duration.ofMillis(1));

    /** What holds for a key: what its setting says, or the value of the builder's field of that name. */
    String of(String key, String standard) {
        return standard.equals(Setting.OF_BUILDER)
                ? text(
                        key,
                        find(builder, Setting.methodOf(key))
                                .orElseThrow(() ->
                                        new AssertionError(builder.getClass() + " has no field for the key " + key)))
                : standard;
    }

    /** Of the records that a builder keeps its options in, or of the builder itself. */
    private static Optional<Object> find(Object owner, String name) {
        return Stream.of("options", "limits")
                .flatMap(part -> read(owner, part).stream())
                .flatMap(part -> find(part, name).stream())
                .findFirst()
                .or(() -> read(owner, name));
    }

    private static Optional<Object> read(Object owner, String name) {
        return field(owner.getClass(), name).map(field -> {
            try {
                return field.get(owner);
            } catch (IllegalAccessException failure) {
                throw new IllegalStateException(failure);
            }
        });
    }

    private static Optional<Field> field(Class<?> type, String name) {
        Optional<Field> found = Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
                .flatMap(each -> Stream.of(each.getDeclaredFields()))
                .filter(field -> field.getName().equals(name))
                .findFirst();
        found.ifPresent(field -> field.setAccessible(true));
        return found;
    }

    private static String text(String key, Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(present -> text(key, present)).orElse("none");
        } else if (value instanceof Duration time) {
            return time(time);
        } else if (value instanceof Number number) {
            return key.endsWith("-bytes") ? size(number.longValue()) : number.toString();
        } else if (value instanceof Enum<?> constant) {
            return ValueFormat.nameOf(constant);
        } else if (value instanceof List<?> several) {
            return String.join(", ", several.stream().map(Object::toString).toList());
        } else if (value instanceof Backoff backoff) {
            return exponential(backoff);
        }
        return value.equals("") ? "none" : value.toString();
    }

    private static String time(Duration time) {
        if (time.isZero()) {
            return "0";
        }
        String unit = Stream.of("d", "h", "m", "s", "ms")
                .filter(each -> time.toMillis() % UNITS.get(each).toMillis() == 0)
                .findFirst()
                .orElseThrow();
        return time.dividedBy(UNITS.get(unit)) + unit;
    }

    private static String size(long bytes) {
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + "MiB" : (bytes >> 10) + "KiB";
    }

    /** What an exponential back-off with jitter and cap was made of, by asking it often. */
    private static String exponential(Backoff backoff) {
        long[] first = IntStream.range(0, 2001)
                .mapToLong(i -> backoff.delay(1).toMillis())
                .sorted()
                .toArray();
        Duration cap = IntStream.range(0, 200)
                .mapToObj(i -> backoff.delay(50))
                .max(Duration::compareTo)
                .orElseThrow();
        return "exponential " + time(Duration.ofMillis(Math.round(first[1000] / 20.0) * 20)) + " " + time(cap);
    }
}
