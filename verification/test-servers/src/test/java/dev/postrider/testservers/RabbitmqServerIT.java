package dev.postrider.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import org.junit.jupiter.api.Test;

class RabbitmqServerIT extends BrokerServerContract {
    @Override
    Broker shared() {
        return Servers.rabbitmq();
    }

    @Override
    PrivateBroker startPrivate() {
        return RabbitmqServer.startPrivate();
    }

    @Override
    void awaitTls(Socket socket) {}

    @Test
    void raisesAndClearsTheMemoryAlarm() {
        var node = (PrivateRabbitmq) broker();

        node.raiseMemoryAlarm();
        assertThat(node.control("eval", "rabbit_alarm:get_alarms().")).contains("memory");

        node.clearMemoryAlarm();
        assertThat(node.control("eval", "rabbit_alarm:get_alarms().")).doesNotContain("memory");
    }
}
