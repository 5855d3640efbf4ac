/**
 * Protobuf messages in their binary form and as JSON.
 *
 * <p>Generated messages go in, bytes come out, and back. Start at {@link dev.postrider.codec.protobuf.ProtobufCodec}.
 */
@NullMarked
package dev.postrider.codec.protobuf;

import org.jspecify.annotations.NullMarked;
