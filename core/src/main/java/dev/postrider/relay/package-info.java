/**
 * The relay engine: fetch, dispatch, settle for the lanes that this instance owns.
 *
 * <p>Users meet {@link dev.postrider.relay.Relay} and its builder. Inside, a {@code LaneKeeper} acquires and releases lanes,
 * and each {@code LaneWorker} runs its lanes on one thread: all memory of a lane is confined to that thread, acknowledgements
 * of the destination reach it through a mailbox. Every part is a step function over an injected clock, so that the
 * model-based test can interleave relays deterministically. Start reading at {@code LaneWorker}.
 */
@NullMarked
package dev.postrider.relay;

import org.jspecify.annotations.NullMarked;
