package dev.postrider.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What VERSIONING.md promises about Java types. */
final class VersioningPage {

    private static final Pattern PACKAGE = Pattern.compile("`(dev\\.postrider[a-z0-9.]*)`");

    private VersioningPage() {}

    /** The packages of its table of APIs. */
    static Set<String> apiPackages() {
        try (Stream<String> lines = Files.lines(PublishedModule.ROOT.resolve("VERSIONING.md"))) {
            return lines.filter(line -> line.startsWith("| `dev.postrider"))
                    .flatMap(line -> PACKAGE.matcher(line).results())
                    .map((MatchResult found) -> found.group(1))
                    .collect(Collectors.toSet());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
