package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.spi.DeliveryResult;
import dev.postrider.spi.TraceSpan;
import dev.postrider.spi.internal.PendingSend;
import dev.postrider.spi.internal.RunPosition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuspectsTest {

    private final List<PendingSend<WireMessage>> published = new ArrayList<>();
    private final Suspects suspects = new Suspects(published::add);

    private static PendingSend<WireMessage> send() {
        WireMessage wire = new WireMessage("exchange", "key", new BasicProperties(), new byte[0]);
        return new PendingSend<>(wire, RunPosition.NONE, TraceSpan.NONE, Long.MAX_VALUE, ended -> {});
    }

    @Test
    void publishesOneSuspectAtATime() {
        PendingSend<WireMessage> first = send();
        PendingSend<WireMessage> second = send();

        suspects.add(List.of(first, second));

        assertThat(published).containsExactly(first);
        assertThat(suspects.isAlone(first)).isTrue();
        first.end(DeliveryResult.DELIVERED);
        assertThat(published).containsExactly(first, second);
    }

    @Test
    void passesOverSuspectsThatHaveEndedWhileTheyWaited() {
        PendingSend<WireMessage> first = send();
        PendingSend<WireMessage> late = send();
        PendingSend<WireMessage> last = send();
        suspects.add(List.of(first, late, last));

        late.endIfWaiting(DeliveryResult.outage("too late"));
        first.end(DeliveryResult.DELIVERED);

        assertThat(published).containsExactly(first, last);
    }

    @Test
    void trustsAnExchangeAgainWhenAMessageGetsThrough() {
        PendingSend<WireMessage> culprit = send();
        PendingSend<WireMessage> innocent = send();
        suspects.add(List.of(culprit, innocent));
        suspects.distrust("exchange");

        culprit.end(DeliveryResult.retry("closed", new ShutdownSignalException(false, false, null, null)));
        assertThat(suspects.distrusts("exchange")).isTrue();
        innocent.end(DeliveryResult.DELIVERED);

        assertThat(suspects.distrusts("exchange")).isFalse();
    }
}
