package dev.postrider.service.doctor;

import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at the settings of the driver in the address: some make every fetch slower, one makes it impossible. */
final class PostgresDriverCheck implements Check {

    private final String url;

    PostgresDriverCheck(String url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "driver settings";
    }

    @Override
    public List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        setting("autosave")
                .filter(value -> !value.equals("never"))
                .ifPresent(value -> findings.add(Finding.note(
                        "autosave is " + value,
                        "the driver sets a savepoint before most statements of a transaction; each costs the server time",
                        "Remove autosave from the address that relays use")));
        setting("preferquerymode")
                .filter(value -> value.equals("simple"))
                .ifPresent(value -> findings.add(Finding.note(
                        "preferQueryMode is simple",
                        "the server parses and plans every statement of a relay again",
                        "Remove preferQueryMode from the address that relays use")));
        setting("preparethreshold")
                .filter(value -> value.startsWith("-"))
                .ifPresent(value -> findings.add(Finding.error(
                        "prepareThreshold is " + value,
                        "the driver describes statements before a transaction has its isolation level: nothing is fetched",
                        "Remove prepareThreshold from the address, or set it to 0 behind a pooler that knows no prepared"
                                + " statements")));
        return findings;
    }

    private Optional<String> setting(String name) {
        Matcher matcher = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(url.toLowerCase(Locale.ROOT));
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
