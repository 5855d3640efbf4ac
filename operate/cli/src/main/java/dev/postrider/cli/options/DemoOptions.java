package dev.postrider.cli.options;

import dev.postrider.cli.demo.DemoSettings;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What {@code postrider demo} can be told. */
public final class DemoOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    private int orders;
    private int relays;

    @Option(
            names = "--headless",
            description = "Plain lines instead of a live display; also chosen when there is no terminal.")
    private boolean headless;

    @Option(
            names = "--console",
            description = "Runs slowly and without end, for people who watch: prints the address of a page that shows"
                    + " lanes, a relay that dies, a key that is held and a dead letter. --orders counts nothing then.")
    private boolean console;

    @Option(
            names = "--orders",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many orders to write, with four events each on average. Default: ${DEFAULT-VALUE}."
                    + " Range: 1 to " + DemoSettings.MAX_ORDERS + ".")
    void setOrders(int value) {
        this.orders = inRange("--orders", value, 1, DemoSettings.MAX_ORDERS);
    }

    @Option(
            names = "--relays",
            paramLabel = "R",
            defaultValue = "3",
            description = "How many relays share the work; one is killed. Default: ${DEFAULT-VALUE}." + " Range: "
                    + DemoSettings.MIN_RELAYS + " to " + DemoSettings.MAX_RELAYS + ".")
    void setRelays(int value) {
        this.relays = inRange("--relays", value, DemoSettings.MIN_RELAYS, DemoSettings.MAX_RELAYS);
    }

    public DemoSettings settings() {
        return new DemoSettings(orders, relays);
    }

    /** Whether somebody watches in a browser. */
    public boolean isConsole() {
        return console;
    }

    public boolean isHeadless() {
        return headless;
    }

    private int inRange(String option, int value, int lowest, int highest) {
        if (value < lowest || value > highest) {
            throw new ParameterException(
                    spec.commandLine(), "%s is %d, expected %d to %d".formatted(option, value, lowest, highest));
        }
        return value;
    }
}
