package dev.postrider.testservers;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A server that runs in a container, for systems without a better way. */
final class ContainerInstance implements Instance {
    private final ServerDirectory directory;
    private final ContainerImage image;
    private final int port;
    private final String name;
    private boolean created;

    ContainerInstance(ServerDirectory directory, ContainerImage image, int port) {
        this.directory = directory;
        this.image = image;
        this.port = port;
        this.name = "postrider-test-" + port;
    }

    /** Fails unless a container engine answers. */
    static void requireEngine() {
        if (!Command.succeeds(List.of("docker", "version", "--format", "{{.Server.Version}}"))) {
            throw new ServerUnavailableException("no Docker engine answers");
        }
    }

    /** The command line of a program inside the container. */
    List<String> inside(String program) {
        return List.of("docker", "exec", name, program);
    }

    @Override
    public void start() {
        if (created) {
            Command.run("docker", "start", name);
            return;
        }
        directory.writeContainer(name);
        var command = new ArrayList<>(List.of("docker", "run", "--detach", "--name", name));
        command.addAll(List.of("--publish", "127.0.0.1:" + port + ":" + image.port()));
        image.environment().forEach(assignment -> command.addAll(List.of("--env", assignment)));
        command.add(image.name());
        command.addAll(image.arguments());
        Command.run(command);
        created = true;
    }

    @Override
    public void stop() {
        if (isRunning()) {
            Command.run("docker", "stop", name);
        }
    }

    @Override
    public void killHard() {
        if (isRunning()) {
            Command.run("docker", "kill", "--signal", "KILL", name);
        }
    }

    @Override
    public void freeze() {
        Command.run("docker", "pause", name);
    }

    @Override
    public void thaw() {
        Command.run("docker", "unpause", name);
    }

    @Override
    public boolean isRunning() {
        return created
                && Command.run("docker", "inspect", "--format", "{{.State.Running}}", name)
                        .strip()
                        .equals("true");
    }

    @Override
    public OptionalLong processId() {
        return OptionalLong.empty();
    }

    @Override
    public void discard() {
        Command.run("docker", "rm", "--force", "--volumes", name);
        directory.delete();
    }

    @Override
    public String endOfLog() {
        return Command.run("docker", "logs", "--tail", "20", name);
    }
}
