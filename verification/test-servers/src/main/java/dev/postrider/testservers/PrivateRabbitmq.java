package dev.postrider.testservers;

import java.util.ArrayList;
import java.util.List;

/**
 * A RabbitMQ node for one test alone; see {@link PrivateBroker}. Its account is an administrator of the virtual host {@code
 * /}.
 */
public final class PrivateRabbitmq extends PrivateBroker {

    PrivateRabbitmq(PrivateBroker started) {
        super(
                BrokerAddress.local(BrokerKind.RABBITMQ, started.port()),
                started.origin(),
                started.instance(),
                started.tlsPortOrNone());
    }

    /** Runs rabbitmqctl on this node and returns what it printed. */
    public String control(String... arguments) {
        var command = new ArrayList<>(program());
        command.addAll(List.of(arguments));
        return Command.run(command);
    }

    /** Lets the node believe that its memory is full: it stops reading from connections that publish. */
    public void raiseMemoryAlarm() {
        control("set_vm_memory_high_watermark", "0");
    }

    /** Ends what {@link #raiseMemoryAlarm()} began. */
    public void clearMemoryAlarm() {
        control("set_vm_memory_high_watermark", "0.6");
    }

    private List<String> program() {
        if (instance() instanceof ProcessInstance process) {
            return RabbitmqEngine.command(process.directory().data(), "rabbitmqctl");
        }
        return ((ContainerInstance) instance()).inside("rabbitmqctl");
    }
}
