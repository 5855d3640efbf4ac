package dev.postrider.faults;

import dev.postrider.prove.run.ChildProcess;
import dev.postrider.testservers.Broker;
import dev.postrider.testservers.Database;
import java.util.List;
import java.util.Map;

/** What a process of the chain from outbox to inbox is told on its command line. */
record ChainSettings(
        ChainRole role,
        ChainBroker broker,
        String brokerAddress,
        String brokerUser,
        String brokerPassword,
        String url,
        String user,
        String password,
        String topic,
        String name) {

    static ChainSettings of(
            ChainRole role, ChainBroker kind, Broker broker, Database database, String topic, String name) {
        return new ChainSettings(
                role,
                kind,
                broker.host() + ":" + broker.port(),
                broker.user(),
                broker.password(),
                database.jdbcUrl(),
                database.user(),
                database.password(),
                topic,
                name);
    }

    static ChainSettings parse(String[] args) {
        return new ChainSettings(
                ChainRole.valueOf(args[0]),
                ChainBroker.valueOf(args[1]),
                args[2],
                args[3],
                args[4],
                args[5],
                args[6],
                args[7],
                args[8],
                args[9]);
    }

    /** Starts the process. */
    ChildProcess start() {
        List<String> command = ChildJvm.command("128m", ChainMain.class, toArgs());
        return new ChildProcess(name, command, Map.of(), ChildJvm.newOutput(name));
    }

    private List<String> toArgs() {
        return List.of(
                role.name(),
                broker.name(),
                brokerAddress,
                brokerUser,
                brokerPassword,
                url,
                user,
                password,
                topic,
                name);
    }
}
