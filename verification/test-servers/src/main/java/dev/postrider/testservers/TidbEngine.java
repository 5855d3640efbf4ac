package dev.postrider.testservers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * TiDB with its embedded storage, unistore: the real SQL layer, transactions and timestamps in one process.
 *
 * <p>unistore holds one TiDB server. What needs several is tested against an address in the environment.
 */
final class TidbEngine implements Engine {

    @Override
    public DatabaseKind kind() {
        return DatabaseKind.TIDB;
    }

    @Override
    public List<InstallationSource> sources() {
        return List.of(TidbEngine::installed, TidbEngine::built);
    }

    private static Installation installed() {
        Path program = InstalledProgram.find("tidb-server", List.of());
        return new Installation("installed as " + program, program.getParent(), program, Runner.PLAIN);
    }

    /** From the Go module proxy, which takes minutes the first time. */
    private static Installation built() {
        Path script = BuildDirectory.root().resolve("build").resolve("tidb-build");
        Path home =
                Path.of(Command.runShowingMessages(List.of(script.toString())).strip());
        return new Installation("of " + home.getFileName(), home, home.resolve("tidb-server"), Runner.PLAIN);
    }

    /** The server fills an empty directory at its first start. */
    @Override
    public void initialise(Installation installation, Path data) {
        Command.run("mkdir", "-p", data.toString());
    }

    @Override
    public List<String> startCommand(Installation installation, Path data, int port, Map<String, String> settings) {
        var all = new LinkedHashMap<String, String>();
        all.put("store", "unistore");
        all.put("path", data.resolve("store").toString());
        all.put("temp-dir", data.resolve("temp").toString());
        all.put("host", "127.0.0.1");
        all.put("advertise-address", "127.0.0.1");
        all.put("P", Integer.toString(port));
        all.put("status", Integer.toString(FreePort.pick()));
        all.put("status-host", "127.0.0.1");
        all.put("L", "warn");
        all.putAll(settings);
        var arguments = new ArrayList<>(ServerOptions.render(all));
        // No socket file: several servers would use the same one.
        arguments.add("--socket=");
        return installation.command(installation.program(), arguments);
    }

    @Override
    public ContainerImage container(Map<String, String> settings) {
        return new ContainerImage(
                "pingcap/tidb:v8.5.4", DatabaseKind.TIDB.usualPort(), List.of(), ServerOptions.render(settings));
    }
}
