package dev.postrider.testservers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL. */
final class PostgresEngine implements Engine {
    private static final String ARCHIVE = "postgres-linux-x86_64.txz";
    private static final Path DEBIAN_HOMES = Path.of("/usr/lib/postgresql");

    @Override
    public DatabaseKind kind() {
        return DatabaseKind.POSTGRES;
    }

    @Override
    public List<InstallationSource> sources() {
        return List.of(PostgresEngine::fromMaven, PostgresEngine::installed);
    }

    private static Installation fromMaven() {
        String jar = MavenArtifact.jarWith(ARCHIVE).getFileName().toString().replace(".jar", "");
        Runner runner = Runner.withoutRoot();
        Path home = runner.reachable(Cache.once(jar, PostgresEngine::unpack));
        return new Installation("of " + jar, home, home.resolve("bin/postgres"), runner);
    }

    private static void unpack(Path home) {
        try (InputStream packed = PostgresEngine.class.getClassLoader().getResourceAsStream(ARCHIVE);
                var tar = new XZInputStream(new BufferedInputStream(Objects.requireNonNull(packed)))) {
            Files.createDirectories(home);
            Command.run(List.of("tar", "-x", "-C", home.toString()), tar);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Installation installed() {
        Path program = InstalledProgram.find("postgres", debianPrograms());
        return new Installation(
                "installed as " + program, program.getParent().getParent(), program, Runner.withoutRoot());
    }

    /** Debian keeps the servers of all versions off the path. */
    private static List<Path> debianPrograms() {
        if (!Files.isDirectory(DEBIAN_HOMES)) {
            return List.of();
        }
        try (Stream<Path> homes = Files.list(DEBIAN_HOMES)) {
            return homes.map(home -> home.resolve("bin")).sorted().toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void initialise(Installation installation, Path data) {
        Path initdb = installation.program().resolveSibling("initdb");
        Command.run(installation.command(
                initdb,
                List.of("-D", data.toString(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")));
    }

    @Override
    public List<String> startCommand(Installation installation, Path data, int port, Map<String, String> settings) {
        var arguments = new ArrayList<>(List.of("-D", data.toString(), "-p", Integer.toString(port)));
        // No Unix socket: its path would be too long in a deep directory.
        arguments.addAll(List.of("-h", "127.0.0.1", "-k", ""));
        arguments.addAll(arguments(settings));
        return installation.command(installation.program(), arguments);
    }

    private static List<String> arguments(Map<String, String> settings) {
        var all = new LinkedHashMap<String, String>();
        all.put("max_connections", "300");
        all.put("max_prepared_transactions", "32");
        all.put("shared_buffers", "64MB");
        all.put("timezone", "UTC");
        all.put("log_timezone", "UTC");
        all.putAll(settings);
        return all.entrySet().stream()
                .flatMap(setting -> Stream.of("-c", setting.getKey() + "=" + setting.getValue()))
                .toList();
    }

    @Override
    public Map<String, String> sharedSettings() {
        return Map.of("fsync", "off", "full_page_writes", "off");
    }

    @Override
    public EndSignals endSignals() {
        // Not KILL for the fast end: a shared memory segment would stay behind.
        return new EndSignals("INT", "QUIT");
    }

    @Override
    public ContainerImage container(Map<String, String> settings) {
        return new ContainerImage("postgres:18", 5432, List.of("POSTGRES_HOST_AUTH_METHOD=trust"), arguments(settings));
    }
}
