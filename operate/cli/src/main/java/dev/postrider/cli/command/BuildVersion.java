package dev.postrider.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into this jar. */
final class BuildVersion implements IVersionProvider {

    private static final String RESOURCE = "/dev/postrider/cli/version.properties";

    @Override
    public String[] getVersion() {
        try (InputStream stream = BuildVersion.class.getResourceAsStream(RESOURCE)) {
            Properties properties = new Properties();
            properties.load(stream);
            return new String[] {"postrider " + properties.getProperty("version")};
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
