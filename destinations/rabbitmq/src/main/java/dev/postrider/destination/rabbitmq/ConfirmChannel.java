package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.internal.PendingSend;
import dev.postrider.spi.internal.TraceAttributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;

/**
 * A channel in confirm mode and the messages that it has not confirmed.
 *
 * <p>Delivery tags count from one on each channel, so a confirm never speaks of a message of another channel. Only one
 * thread publishes; confirms and returns come on the connection's thread. RabbitMQ sends the return of a message before its
 * confirm.
 */
final class ConfirmChannel {

    private final Channel channel;
    private final ConcurrentNavigableMap<Long, PendingSend<WireMessage>> outstanding = new ConcurrentSkipListMap<>();
    /** The broker found no queue for these; their confirms are still to come. */
    private final Set<PendingSend<WireMessage>> returned = ConcurrentHashMap.newKeySet();

    private final BiConsumer<ConfirmChannel, ShutdownSignalException> onClose;

    private ConfirmChannel(Channel channel, BiConsumer<ConfirmChannel, ShutdownSignalException> onClose) {
        this.channel = channel;
        this.onClose = onClose;
    }

    /**
     * Opens a channel.
     *
     * @param onClose is told when the channel or its connection has ended, and why; it {@linkplain #drain takes} what was not confirmed
     */
    static ConfirmChannel open(Connection connection, BiConsumer<ConfirmChannel, ShutdownSignalException> onClose)
            throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the connection has no channel left");
        }
        ConfirmChannel confirmed = new ConfirmChannel(channel, onClose);
        channel.addConfirmListener(confirmed::acked, confirmed::nacked);
        channel.addReturnListener(confirmed::returned);
        channel.confirmSelect();
        channel.addShutdownListener(confirmed::closed);
        return confirmed;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Publishes; whatever goes wrong, the message ends or is handed on through this channel's end. */
    void publish(PendingSend<WireMessage> sending) {
        WireMessage wire = sending.wire();
        // Registered first: the confirm may be faster than the return of the call.
        outstanding.put(channel.getNextPublishSeqNo(), sending);
        if (!wire.routingKey().isEmpty()) {
            sending.span().tag(TraceAttributes.ROUTING_KEY, wire.routingKey());
        }
        try {
            channel.basicPublish(wire.exchange(), wire.routingKey(), true, wire.properties(), wire.body());
        } catch (ShutdownSignalException closed) {
            closed(closed);
        } catch (IOException | RuntimeException failed) {
            // The client has counted a message that the broker may never see: tags are worth nothing from here on.
            closed(new ShutdownSignalException(true, false, null, channel.getConnection(), "", failed));
        }
    }

    private void acked(long tag, boolean isMultiple) {
        settle(tag, isMultiple, true);
    }

    private void nacked(long tag, boolean isMultiple) {
        settle(tag, isMultiple, false);
    }

    private void settle(long tag, boolean isMultiple, boolean isAck) {
        if (!isMultiple) {
            PendingSend<WireMessage> sending = outstanding.remove(tag);
            if (sending != null) {
                sending.end(outcome(sending, isAck));
            }
            return;
        }
        for (var first = outstanding.firstEntry();
                first != null && first.getKey() <= tag;
                first = outstanding.firstEntry()) {
            outstanding.remove(first.getKey());
            first.getValue().end(outcome(first.getValue(), isAck));
        }
    }

    private DeliveryResult outcome(PendingSend<WireMessage> sending, boolean isAck) {
        if (returned.remove(sending)) {
            return Failures.ofUnroutable(sending.wire());
        }
        return isAck ? DeliveryResult.DELIVERED : Failures.ofNack(sending.wire());
    }

    /** A return names no tag. Were the same message on its way twice, both would come back, in their order. */
    private void returned(Return message) {
        outstanding.values().stream()
                .filter(sending -> !returned.contains(sending))
                .filter(sending -> sending.wire().isReturnedAs(message))
                .findFirst()
                .ifPresent(returned::add);
    }

    private void closed(ShutdownSignalException cause) {
        onClose.accept(this, cause);
    }

    /** The same for one that was found closed, if its end was not told yet. */
    void closed() {
        ShutdownSignalException cause = channel.getCloseReason();
        if (cause != null) {
            closed(cause);
        }
    }

    /** Takes what is not confirmed; whoever takes it says how it ends. */
    List<PendingSend<WireMessage>> drain() {
        List<PendingSend<WireMessage>> taken = new ArrayList<>();
        for (var first = outstanding.pollFirstEntry(); first != null; first = outstanding.pollFirstEntry()) {
            taken.add(first.getValue());
        }
        return taken;
    }
}
