package dev.postrider.service.config;

import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One key of the configuration file and the builder call that it stands for.
 *
 * @param name the key
 * @param form what its value looks like
 * @param standard what holds when it is not given, for people; {@link #OF_BUILDER} where the builder's own value says it
 * @param meaning one sentence for the reference
 * @param binding calls the builder; an {@link IllegalArgumentException} becomes a message with the line
 */
public record Setting<B>(String name, String form, String standard, String meaning, BiConsumer<B, String> binding) {

    /** The builder is the only place of its defaults; the reference reads them there. */
    public static final String OF_BUILDER = "";

    public static <B, T> Setting<B> of(String name, ValueFormat<T> form, String meaning, BiConsumer<B, T> call) {
        return of(name, form, OF_BUILDER, meaning, call);
    }

    /** A call without argument, made for {@code true}. */
    public static <B> Setting<B> flag(String name, String meaning, Consumer<B> call) {
        return of(name, ValueFormat.FLAG, "false", meaning, (builder, isOn) -> {
            if (isOn) {
                call.accept(builder);
            }
        });
    }

    public static <B, T> Setting<B> of(
            String name, ValueFormat<T> form, String standard, String meaning, BiConsumer<B, T> call) {
        return new Setting<>(
                name, form.label(), standard, meaning, (builder, text) -> call.accept(builder, form.parse(text)));
    }

    /** The method of a builder that a key is named after: {@code maxAttempts} for {@code max-attempts}. */
    public static String methodOf(String key) {
        StringBuilder method = new StringBuilder();
        for (String word : key.split("-")) {
            method.append(method.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return method.toString();
    }

    public static List<String> names(Collection<? extends Setting<?>> settings) {
        return settings.stream().map(Setting::name).toList();
    }
}
