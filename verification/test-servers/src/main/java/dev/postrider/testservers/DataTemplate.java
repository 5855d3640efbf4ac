package dev.postrider.testservers;

import java.nio.file.Path;

/** An initialised data directory, made once per version and copied for each server: a copy takes a tenth of the time. */
final class DataTemplate {
    private DataTemplate() {}

    static void copy(Engine engine, Installation installation, Path data) {
        Path template =
                Cache.once("data-" + installation.fingerprint(), fresh -> engine.initialise(installation, fresh));
        Command.run("rm", "-rf", data.toString());
        Command.run("cp", "-a", template.toString(), data.toString());
    }
}
