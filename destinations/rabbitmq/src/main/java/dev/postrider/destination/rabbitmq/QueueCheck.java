package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import dev.postrider.spi.internal.Link.NoLinkException;
import dev.postrider.spi.internal.LinkSender;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks whether a queue exists, outlives a restart and is replicated.
 *
 * <p>AMQP shows no queue's properties. It only compares them: a queue that exists is declared again as a durable quorum queue,
 * which changes nothing, and the broker's refusal names the first property that differs.
 */
final class QueueCheck implements Check {

    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");
    /** The name is in no field of its own. If the text ever changes, the check says that it cannot tell. */
    private static final Pattern DIFFERENT = Pattern.compile("inequivalent arg '([^']+)'");

    private final LinkSender<WireMessage, RabbitmqLink> sender;
    private final String queue;

    QueueCheck(LinkSender<WireMessage, RabbitmqLink> sender, String queue) {
        this.sender = sender;
        this.queue = queue;
    }

    @Override
    public String name() {
        return "RabbitMQ queue " + queue;
    }

    @Override
    public List<Finding> run() throws NoLinkException, IOException {
        RabbitmqLink link = sender.link();
        Optional<ShutdownSignalException> missing = link.ask(channel -> channel.queueDeclarePassive(queue));
        if (missing.isPresent()) {
            return List.of(notThere(missing.get()));
        }
        return link
                .ask(channel -> channel.queueDeclare(queue, true, false, false, QUORUM))
                .map(this::different)
                .stream()
                .toList();
    }

    private Finding notThere(ShutdownSignalException refused) {
        return Failures.isNotFound(refused)
                ? Finding.error(
                        "there is no queue " + queue,
                        "messages that it should take are returned as unroutable and fail",
                        "Declare it as a durable quorum queue and bind it")
                : Finding.warning(
                        "queue " + queue + " may not be looked at: " + Failures.replyText(refused),
                        "nothing is known about it",
                        "Give this user the right to configure it, or ask who may");
    }

    private Finding different(ShutdownSignalException refused) {
        Matcher difference = DIFFERENT.matcher(Failures.replyText(refused));
        String property = difference.find() ? difference.group(1) : "";
        return switch (property) {
            case "durable" ->
                Finding.error(
                        "queue " + queue + " is not durable",
                        "a restart of the broker deletes it with all its messages",
                        "Delete it and declare it as a durable quorum queue");
            case "auto_delete" ->
                Finding.warning(
                        "queue " + queue + " is deleted with its last consumer",
                        "delivered messages vanish with it, and later ones are unroutable",
                        "Declare it without auto-delete");
            case "x-queue-type" ->
                Finding.warning(
                        "queue " + queue + " is no quorum queue",
                        "it lives on one node; when that node is lost, so are delivered messages",
                        "Use a quorum queue (x-queue-type=quorum) on a cluster of three nodes");
            // It is of the right type, else the broker would have named the type.
            case "" ->
                Finding.note(
                        "queue " + queue + " cannot be judged: " + Failures.replyText(refused),
                        "whether it is durable and replicated is not known",
                        isRefused(refused)
                                ? "Give this user the right to configure it, or ask who may"
                                : "Look with: rabbitmqctl list_queues name durable type");
            default ->
                Finding.note(
                        "queue " + queue + " has the argument " + property,
                        "it is durable; AMQP tells no more",
                        "Look with: rabbitmqctl list_queues name durable type arguments");
        };
    }

    private static boolean isRefused(ShutdownSignalException refused) {
        return refused.getReason() instanceof AMQP.Channel.Close close && close.getReplyCode() == AMQP.ACCESS_REFUSED;
    }
}
