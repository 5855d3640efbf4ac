package dev.postrider.bus;

import dev.postrider.spi.Codec;
import dev.postrider.spi.CodecException;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * The codecs of a publisher or subscriber, chosen by content type and class.
 *
 * <p>Of a content type counts what follows {@code application/} or {@code application/cloudevents+}, without parameters and in any case.
 * Several codecs may serve the same content type: the first in the list that supports the class is taken. Immutable and thread-safe.
 *
 * <pre>{@code
 * CodecRegistry codecs = CodecRegistry.of(new ProtobufCodec(), new ProtobufJsonCodec(), JsonCodec.withDefaults());
 * }</pre>
 */
public final class CodecRegistry {

    private final List<Codec> codecs;

    private CodecRegistry(List<Codec> codecs) {
        this.codecs = codecs;
    }

    /** Makes a registry of these codecs. The first that supports a class also sets the content type of events that name none. */
    public static CodecRegistry of(Codec... codecs) {
        if (codecs.length == 0) {
            throw new IllegalArgumentException("A registry needs at least one codec");
        }
        return new CodecRegistry(List.of(codecs));
    }

    /**
     * The content type of data that come without one.
     *
     * @throws CodecException if no codec supports the class
     */
    public String defaultContentType(Class<?> dataClass) {
        return codecs.stream()
                .filter(codec -> codec.supports(dataClass))
                .findFirst()
                .map(Codec::contentType)
                .orElseThrow(() -> new CodecException("No codec supports " + dataClass.getName()
                        + "; add one to the registry, which has " + contentTypes()));
    }

    /**
     * The codec for data of this class in this form.
     *
     * @throws CodecException if there is none; the text says whether the content type or the class is at fault
     */
    public Codec find(String contentType, Class<?> dataClass) {
        Objects.requireNonNull(contentType, "contentType");
        String subtype = ContentSubtype.of(contentType)
                .orElseThrow(() -> new CodecException("Content type '" + contentType
                        + "' is not supported: expected application/<form> or application/cloudevents+<form>, with one"
                        + " of "
                        + subtypes()));
        List<Codec> ofThisForm = codecs.stream()
                .filter(codec -> codec.subtypes().contains(subtype))
                .toList();
        if (ofThisForm.isEmpty()) {
            throw new CodecException("No codec for content type '" + contentType + "'; the registry has " + subtypes());
        }
        return ofThisForm.stream()
                .filter(codec -> codec.supports(dataClass))
                .findFirst()
                .orElseThrow(() -> new CodecException(
                        "No codec for content type '" + contentType + "' supports " + dataClass.getName()));
    }

    private TreeSet<String> subtypes() {
        TreeSet<String> all = new TreeSet<>();
        codecs.forEach(codec -> all.addAll(codec.subtypes()));
        return all;
    }

    private List<String> contentTypes() {
        return codecs.stream().map(Codec::contentType).toList();
    }
}
