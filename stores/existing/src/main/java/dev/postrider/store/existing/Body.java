package dev.postrider.store.existing;

import java.util.Optional;

/**
 * What may be large of a row.
 *
 * @param headers a JSON object
 */
@SuppressWarnings("ArrayRecordComponent") // read once, handed on, never compared
record Body(byte[] payload, Optional<String> headers) {}
