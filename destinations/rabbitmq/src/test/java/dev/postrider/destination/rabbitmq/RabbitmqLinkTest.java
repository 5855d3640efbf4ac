package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.PendingSend;
import dev.postrider.spi.internal.RunPosition;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a real broker shows only within microseconds. */
class RabbitmqLinkTest {

    private final List<PendingSend<WireMessage>> publishedAgain = new ArrayList<>();

    /** Another message has closed the channel, a moment after it was found open; this one never left the client. */
    @Test
    void doesNotBlameAMessageThatComesToAClosedChannel() throws Exception {
        Method tooLarge = new AMQP.Channel.Close.Builder()
                .replyCode(AMQP.PRECONDITION_FAILED)
                .replyText("message size 200 is larger than configured max size 100")
                .classId(60)
                .methodId(40)
                .build();
        ShutdownSignalException ofAnother = new ShutdownSignalException(false, false, tooLarge, null);
        PendingSend<WireMessage> innocent = new PendingSend<>(
                new WireMessage("exchange", "key", new BasicProperties(), new byte[0]),
                RunPosition.NONE,
                TraceSpan.NONE,
                Long.MAX_VALUE,
                ended -> {});
        innocent.claim();

        link(new AlreadyClosedException(ofAnother)).publish(innocent);

        assertThat(innocent.result().toCompletableFuture()).isNotDone();
        assertThat(publishedAgain).containsExactly(innocent);
    }

    private RabbitmqLink link(ShutdownSignalException whenPublishing) throws Exception {
        Channel channel = fake(Channel.class, Map.of("isOpen", true, "getNextPublishSeqNo", 1L), whenPublishing);
        Connection connection = fake(Connection.class, Map.of("isOpen", true, "createChannel", channel), null);
        RabbitmqOptions options = new RabbitmqOptions(
                "rabbit", null, DeclaredExchanges.NONE, List.of(), 1, 1, 1, Duration.ofSeconds(1), false);
        return new RabbitmqLink(
                new BrokerAccess.Opened(connection, Optional.empty()),
                options,
                new Failures(options),
                new Suspects(publishedAgain::add));
    }

    private static <T> T fake(Class<T> type, Map<String, Object> answers, Throwable whenPublishing) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, values) -> {
                    if (method.getName().equals("basicPublish") && whenPublishing != null) {
                        throw whenPublishing;
                    }
                    return answers.get(method.getName());
                }));
    }
}
