package dev.postrider.store.jdbc;

import dev.postrider.internal.Internal;

/** The columns that a message has in every table that holds one, in the order in which statements name them. */
@Internal
public final class MessageColumns {

    /** What a move between tables copies, beside lane and seq. */
    public static final String CONTENT =
            "id, foreign_id, topic, message_key, type, headers, content_type, payload, created_at";

    /** {@link #CONTENT} with lane and seq. */
    public static final String ALL = "lane, seq, " + CONTENT;

    private MessageColumns() {}
}
