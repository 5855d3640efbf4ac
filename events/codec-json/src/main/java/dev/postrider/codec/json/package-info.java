/**
 * Records and beans as JSON.
 *
 * <p>Objects go in, UTF-8 comes out, and back. Start at {@link dev.postrider.codec.json.JsonCodec}.
 */
@NullMarked
package dev.postrider.codec.json;

import org.jspecify.annotations.NullMarked;
