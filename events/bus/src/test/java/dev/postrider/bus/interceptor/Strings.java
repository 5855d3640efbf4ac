package dev.postrider.bus.interceptor;

import dev.postrider.spi.Codec;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Texts as they are. */
final class Strings implements Codec {

    @Override
    public String contentType() {
        return "application/text";
    }

    @Override
    public Set<String> subtypes() {
        return Set.of("text");
    }

    @Override
    public boolean supports(Class<?> type) {
        return type == String.class;
    }

    @Override
    public byte[] encode(Object value) {
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T decode(byte[] data, Class<T> type) {
        return type.cast(new String(data, StandardCharsets.UTF_8));
    }
}
