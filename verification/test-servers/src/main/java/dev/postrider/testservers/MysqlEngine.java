package dev.postrider.testservers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** MySQL. */
final class MysqlEngine implements Engine {

    @Override
    public DatabaseKind kind() {
        return DatabaseKind.MYSQL;
    }

    @Override
    public List<InstallationSource> sources() {
        return List.of(MysqlEngine::installed, MysqlEngine::fromDebian);
    }

    private static Installation installed() {
        Path program = InstalledProgram.find("mysqld", List.of(Path.of("/usr/sbin"), Path.of("/usr/local/mysql/bin")));
        if (Command.run(program.toString(), "--version").contains("MariaDB")) {
            throw new ServerUnavailableException(program + " is MariaDB");
        }
        return new Installation("installed as " + program, program.getParent().getParent(), program, Runner.PLAIN);
    }

    /** Only Debian's unstable suite has it. Another one, for another version, can be named in the environment. */
    private static Installation fromDebian() {
        String suite = System.getenv().getOrDefault("POSTRIDER_TEST_MYSQL_SUITE", "sid");
        DebianPackage unpacked = DebianPackage.unpack(suite, "mysql-server-core");
        Path home = unpacked.root().resolve("usr");
        return new Installation("of " + suite, home, home.resolve("sbin/mysqld"), Runner.PLAIN.then(unpacked.loader()));
    }

    @Override
    public void initialise(Installation installation, Path data) {
        var arguments = new ArrayList<>(paths(installation, data));
        arguments.add("--initialize-insecure");
        arguments.add("--innodb-redo-log-capacity=32M");
        Command.run(installation.command(installation.program(), arguments));
        // The server's identity, which a copy must not share.
        Command.run("rm", "-f", data.resolve("auto.cnf").toString());
    }

    @Override
    public List<String> startCommand(Installation installation, Path data, int port, Map<String, String> settings) {
        var arguments = new ArrayList<>(paths(installation, data));
        // A socket relative to the data directory: its whole path would be too long in a deep directory.
        arguments.addAll(List.of("--port=" + port, "--bind-address=127.0.0.1", "--socket=socket", "--pid-file=pid"));
        arguments.addAll(options(settings));
        return installation.command(installation.program(), arguments);
    }

    private static List<String> paths(Installation installation, Path data) {
        Path home = installation.home();
        // --no-defaults must come first.
        var paths = new ArrayList<>(List.of(
                "--no-defaults", "--basedir=" + home, "--datadir=" + data, "--secure-file-priv=", "--mysqlx=OFF"));
        if (Files.isDirectory(home.resolve("share/mysql"))) {
            paths.add("--lc-messages-dir=" + home.resolve("share/mysql"));
            paths.add("--character-sets-dir=" + home.resolve("share/mysql/charsets"));
            paths.add("--plugin-dir=" + home.resolve("lib/mysql/plugin"));
        }
        if (Runner.isRoot()) {
            paths.add("--user=root");
        }
        return paths;
    }

    private static List<String> options(Map<String, String> settings) {
        var all = new LinkedHashMap<String, String>();
        all.put("max-connections", "300");
        all.put("performance-schema", "OFF");
        all.put("innodb-buffer-pool-size", "64M");
        all.put("innodb-redo-log-capacity", "32M");
        all.put("default-time-zone", "+00:00");
        all.putAll(settings);
        return ServerOptions.render(all);
    }

    @Override
    public Map<String, String> sharedSettings() {
        return Map.of("skip-log-bin", "", "innodb-flush-log-at-trx-commit", "2");
    }

    @Override
    public ContainerImage container(Map<String, String> settings) {
        return new ContainerImage(
                "mysql:9", 3306, List.of("MYSQL_ALLOW_EMPTY_PASSWORD=1", "MYSQL_ROOT_HOST=%"), options(settings));
    }
}
