package dev.postrider.cli.command;

import dev.postrider.cli.options.DatabaseOptions;
import dev.postrider.cli.options.OutputOptions;
import dev.postrider.console.Access;
import dev.postrider.console.Console;
import dev.postrider.console.ConsoleServer;
import dev.postrider.service.ServiceConfig;
import dev.postrider.service.console.ConsoleSettings;
import dev.postrider.service.console.Role;
import dev.postrider.service.operation.Fields;
import dev.postrider.service.operation.OperatedOutboxes;
import dev.postrider.service.operation.OutboxAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postrider console}: the console alone, without a relay. */
@Command(
        name = "console",
        description = {
            "Shows outboxes in a browser and operates them, until you stop it.",
            "",
            "The printed address lets you in and nobody else, for as long as it runs; others need a token from the"
                    + " token-file that the file's section 'console' names. It delivers nothing: relays run elsewhere."
                    + " 'postrider relay' has the same console at its own port if the file has that section."
        },
        footer = {
            "  postrider console --config postrider.yaml",
            "  postrider console --url jdbc:postgresql://localhost/app --user app --password-file pw --port 9000"
        })
final class ConsoleCommand extends AnyCommand implements Callable<Integer> {

    @Mixin
    private DatabaseOptions database;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "The address to listen at. Default: ${DEFAULT-VALUE}.")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8082",
            description = "The port; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() throws InterruptedException {
        ConsoleSettings settings =
                database.file().flatMap(ServiceConfig::console).orElseGet(() -> new ConsoleSettings.Builder().build());
        List<OutboxAddress> outboxes = database.targets().stream()
                .map(target -> new OutboxAddress(target.name(), target.database(), target.store(), target.config()))
                .toList();
        OperatedOutboxes operated = new OperatedOutboxes(outboxes);
        // Whoever can reach a port of this machine is not yet the one who has started this.
        String token = Access.randomToken();
        Console console = settings.tokenFile().isPresent()
                ? Console.of(settings, operated)
                : Console.of(settings, operated, Access.token(token, new Access.Grant(operator(), Role.OPERATE)));
        ConsoleServer server = ConsoleServer.start(new InetSocketAddress(host, port), settings, console);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "postrider-stop"));
        String address = "http://%s:%d%s/".formatted(host, server.port(), settings.path())
                + (settings.tokenFile().isPresent() ? "" : "#token=" + token);
        answers(output).print(() -> List.of("console at " + address), () -> new Fields().with("console", address));
        out().flush();
        new CountDownLatch(1).await();
        return ExitCode.OK.number();
    }

    private static String operator() {
        return System.getProperty("user.name", "unknown");
    }
}
