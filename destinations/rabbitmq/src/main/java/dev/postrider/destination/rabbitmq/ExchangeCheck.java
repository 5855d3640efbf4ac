package dev.postrider.destination.rabbitmq;

import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import dev.postrider.spi.internal.Link.NoLinkException;
import dev.postrider.spi.internal.LinkSender;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Looks whether an exchange exists. To which queues it leads, AMQP does not tell; an unroutable message is never lost. */
final class ExchangeCheck implements Check {

    private final LinkSender<WireMessage, RabbitmqLink> sender;
    private final String exchange;
    private final boolean isDeclared;

    ExchangeCheck(LinkSender<WireMessage, RabbitmqLink> sender, String exchange, boolean isDeclared) {
        this.sender = sender;
        this.exchange = exchange;
        this.isDeclared = isDeclared;
    }

    @Override
    public String name() {
        return "RabbitMQ exchange " + exchange;
    }

    @Override
    public List<Finding> run() throws NoLinkException, IOException {
        Optional<ShutdownSignalException> refused =
                sender.link().ask(channel -> channel.exchangeDeclarePassive(exchange));
        if (refused.isEmpty() || (isDeclared && Failures.isNotFound(refused.get()))) {
            return List.of();
        }
        return List.of(
                Failures.isNotFound(refused.get())
                        ? Finding.error(
                                "there is no exchange " + exchange,
                                "its messages fail and end as dead letters",
                                "Declare it as a durable exchange with its bindings, or set declare-exchanges")
                        : Finding.error(
                                "exchange " + exchange + " may not be used: " + Failures.replyText(refused.get()),
                                "its messages fail",
                                "Give this user the right to write to it"));
    }
}
