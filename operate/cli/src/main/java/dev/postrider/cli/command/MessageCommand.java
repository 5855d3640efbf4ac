package dev.postrider.cli.command;

import dev.postrider.cli.options.OutboxTarget;
import dev.postrider.cli.options.Values;
import dev.postrider.cli.output.Plain;
import dev.postrider.cli.output.TextTable;
import dev.postrider.service.database.MessageBrowser;
import dev.postrider.service.database.OutboxDatabase;
import dev.postrider.service.database.StoredMessage;
import dev.postrider.service.operation.MessageJson;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.StoreException;
import dev.postrider.store.jdbc.FailureLog.Failure;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code postrider message}: where one message is. */
@Command(
        name = "message",
        description = {
            "Shows where one message is: waiting (hot), held, delayed, dead or delivered (sent), with its failed attempts.",
            "",
            "Tables without an index by id are searched among their first 1,000 messages."
        },
        footer = {
            "  postrider message 0199e6a0-0000-7000-8000-000000000000 --config postrider.yaml",
            "  postrider message 0199e6a0-0000-7000-8000-000000000000 --config postrider.yaml --output json"
        })
final class MessageCommand extends OutboxCommand {

    @Parameters(paramLabel = "ID", description = "The id of the message.")
    private String id;

    @Override
    ExitCode run(OutboxTarget target, OutboxStore store, OutboxDatabase opened) {
        if (target.store().isExisting()) {
            throw new StoreException("This command reads Postrider's own tables; ask existing tables with SQL");
        }
        MessageBrowser browser = opened.tables(target.store()).messages(store);
        Optional<StoredMessage> found = browser.find(Values.messageId(spec(), id));
        if (found.isEmpty()) {
            err().println("There is no message " + id + " in outbox " + target.nameOr(store)
                    + "; it was delivered or discarded, or never written");
            return ExitCode.FAILED;
        }
        List<Failure> failures = browser.content(found.get(), 0).failures();
        answers()
                .print(
                        () -> lines(found.get(), failures),
                        () -> MessageJson.fields(found.get()).with("failures", MessageJson.failures(failures)));
        return ExitCode.OK;
    }

    private static List<String> lines(StoredMessage message, List<Failure> failures) {
        TextTable table = new TextTable()
                .row("id", message.id().toString())
                .row("in", message.place().word())
                .row("topic", Plain.text(message.topic()))
                .row("key", Plain.text(message.key().orElse("-")))
                .row("type", Plain.text(message.type()))
                .row("lane, seq", message.lane() + ", " + message.seq())
                .row("created", message.createdAt().toString());
        message.state().forEach((name, value) -> table.row(name.replace('_', ' '), Plain.text(value.toString())));
        failures.forEach(failure -> table.row("failed", failure.at() + " " + Plain.text(failure.error())));
        return table.lines();
    }
}
