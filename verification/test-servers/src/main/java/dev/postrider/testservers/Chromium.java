package dev.postrider.testservers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Chromium and its driver, for tests of pages: installed programs, else Debian packages unpacked into the cache.
 *
 * @param browser the program
 * @param driver what a test speaks to
 * @param environment what both need around them
 */
public record Chromium(Path browser, Path driver, Map<String, String> environment) {

    /** Finds or unpacks them, and says which. */
    public static Chromium find() {
        Chromium found = installedOrUnpacked();
        System.out.println("test-servers: Chromium at " + found.browser());
        return found;
    }

    private static Chromium installedOrUnpacked() {
        try {
            return new Chromium(
                    InstalledProgram.find("chromium", List.of()),
                    InstalledProgram.find("chromedriver", List.of()),
                    Map.of());
        } catch (ServerUnavailableException notInstalled) {
            return unpacked();
        }
    }

    /** The driver's package brings the browser along. */
    private static Chromium unpacked() {
        DebianPackage unpacked = DebianPackage.unpack("own", "chromium-driver");
        String libraries = unpacked.libraries().stream()
                .flatMap(directory -> Stream.of(directory, directory + "/pulseaudio"))
                .collect(Collectors.joining(":"));
        return new Chromium(
                unpacked.root().resolve("usr/lib/chromium/chromium"),
                unpacked.root().resolve("usr/bin/chromedriver"),
                Map.of("LD_LIBRARY_PATH", libraries));
    }
}
