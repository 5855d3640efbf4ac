package dev.postrider.spi;

import java.util.Set;

/**
 * Turns the data of events into bytes and back, for one form such as JSON.
 *
 * <p>A registry picks a codec by the content type and the Java class; several codecs may share a content type when they serve
 * different classes. Thread-safe.
 */
public interface Codec {

    /** The content type of what it writes, such as {@code application/json}. */
    String contentType();

    /**
     * What follows {@code application/} or {@code application/cloudevents+} in the content types it reads and writes, in lower case:
     * {@code json}.
     */
    Set<String> subtypes();

    /** Whether it can write and read objects of this class. */
    boolean supports(Class<?> type);

    /**
     * The bytes of this object.
     *
     * @throws CodecException if it has no such form
     */
    byte[] encode(Object value);

    /**
     * The object in these bytes, which are not kept. Fields it does not know are ignored, so that producers can add some.
     *
     * @throws CodecException if the bytes hold no such object
     */
    <T> T decode(byte[] data, Class<T> type);
}
