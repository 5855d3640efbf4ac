package dev.postrider.destination.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postrider.spi.DeliveryResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingLineTest {

    private static final DeliveryResult CLOSED = DeliveryResult.outage("closed");

    private final WaitingLine line = new WaitingLine(CLOSED);

    private static Sending sending() {
        return sendingUntil(Long.MAX_VALUE);
    }

    private static Sending sendingUntil(long deadline) {
        WireMessage wire = new WireMessage("exchange", "key", new BasicProperties(), new byte[0]);
        return new Sending(wire, deadline, ended -> {});
    }

    @Test
    void handsOutOneSuspectAtATime() throws Exception {
        Sending first = sending();
        Sending second = sending();
        Sending innocent = sending();
        line.addSuspects(List.of(first, second));
        line.add(innocent);

        assertThat(line.take()).contains(first);
        assertThat(line.isAlone(first)).isTrue();
        assertThat(line.take()).contains(innocent);
        first.end(DeliveryResult.DELIVERED);
        assertThat(line.take()).contains(second);
    }

    @Test
    void endsWhatComesAfterItWasClosed() {
        Sending late = sending();
        Sending suspect = sending();
        assertThat(suspect.claim()).isTrue();

        line.close();
        line.add(late);
        line.addSuspects(List.of(suspect));

        assertThat(late.result()).isCompletedWithValue(CLOSED);
        assertThat(suspect.result()).isCompletedWithValue(CLOSED);
    }

    @Test
    void endsWhatIsOverdueBehindWhatIsNot() {
        DeliveryResult tooLate = DeliveryResult.outage("too late");
        Sending fresh = sendingUntil(100);
        Sending overdue = sendingUntil(10);
        Sending freshSuspect = sendingUntil(100);
        Sending overdueSuspect = sendingUntil(10);
        List.of(fresh, overdue).forEach(line::add);
        line.addSuspects(List.of(freshSuspect, overdueSuspect));

        line.endOverdue(50, tooLate);

        assertThat(List.of(overdue, overdueSuspect))
                .allSatisfy(ended -> assertThat(ended.result()).isCompletedWithValue(tooLate));
        assertThat(List.of(fresh, freshSuspect))
                .allSatisfy(waiting -> assertThat(waiting.hasEnded()).isFalse());
    }
}
