package dev.postrider.bus;

import dev.postrider.spi.Codec;
import dev.postrider.spi.CodecException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Strings as UTF-8; refuses to read "broken". */
final class TextCodec implements Codec {

    private final String subtype;

    TextCodec(String subtype) {
        this.subtype = subtype;
    }

    @Override
    public String contentType() {
        return "application/" + subtype;
    }

    @Override
    public Set<String> subtypes() {
        return Set.of(subtype);
    }

    @Override
    public boolean supports(Class<?> type) {
        return type == String.class;
    }

    @Override
    public byte[] encode(Object value) {
        return (subtype + ":" + value).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T decode(byte[] data, Class<T> type) {
        String text = new String(data, StandardCharsets.UTF_8);
        if (text.contains("broken")) {
            throw new CodecException("broken on purpose");
        }
        return type.cast(text.substring(text.indexOf(':') + 1));
    }
}
