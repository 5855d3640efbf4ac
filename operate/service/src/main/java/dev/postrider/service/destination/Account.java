package dev.postrider.service.destination;

import dev.postrider.internal.Internal;
import dev.postrider.service.config.Secret;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.service.destination.DestinationFactory.Key;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Who connects to a broker: the keys {@code user}, {@code password} and {@code password-file}. */
@Internal
public record Account(String user, Secret password) {

    static List<Key> keys() {
        return List.of(
                new Key("user", "text", Setting.OF_BUILDER, "Who connects."),
                new Key(
                        "password",
                        "text",
                        Setting.OF_BUILDER,
                        "The password; better from the environment or from a file."),
                new Key("password-file", "text", "none", "A file that holds the password and nothing else."));
    }

    /** Empty if no user is named. */
    public static Optional<Account> read(Section section) {
        return section.text("user").map(user -> new Account(user, password(section)));
    }

    private static Secret password(Section section) {
        return section.text("password-file")
                .map(file -> Secret.fromFile(Path.of(file)))
                .or(() -> section.text("password").map(Secret::of))
                .orElseThrow(() -> section.refuse("user", "has neither 'password' nor 'password-file' beside it"));
    }
}
