package dev.postrider.service.console;

import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the console answers, and to whom.
 *
 * @param path below which it answers, without a slash at its end
 * @param tokenFile who may do what; without one only this machine is answered
 * @param loopbackRole what requests of this machine may do where there is no token file
 * @param hosts further names by which browsers may call it
 * @param masked headers and parts of payloads that nobody sees
 * @param traceLink an address with {@code {trace}} in the place of a trace's id
 * @param descriptorSet a file that describes protobuf messages, by which payloads are shown
 */
public record ConsoleSettings(
        String path,
        Optional<Path> tokenFile,
        Role loopbackRole,
        List<String> hosts,
        Masked masked,
        Optional<String> traceLink,
        Optional<Path> descriptorSet) {

    /**
     * What nobody sees.
     *
     * @param headers their names
     * @param pointers JSON pointers into payloads; {@code *} stands for every element
     */
    public record Masked(List<String> headers, List<String> pointers) {}

    /** The keys of the section {@code console}. */
    public static final List<Setting<Builder>> SETTINGS = List.of(
            Setting.of(
                    "path", ValueFormat.TEXT, "Below which path of the HTTP port the console answers.", Builder::path),
            Setting.of(
                    "token-file",
                    ValueFormat.TEXT,
                    "only this machine is answered",
                    "A file with a line `NAME ROLE TOKEN` for each person; roles are metadata, payloads and operate.",
                    Builder::tokenFile),
            Setting.of(
                    "loopback-role",
                    ValueFormat.choice(Role.class),
                    "Without a token file: what browsers on this machine may see and do. A proxy on this machine that"
                            + " hides itself passes for one.",
                    Builder::loopbackRole),
            Setting.of(
                    "hosts",
                    ValueFormat.TEXT,
                    "localhost and its addresses",
                    "Further host names by which browsers reach the console, separated by commas; any other is"
                            + " refused.",
                    Builder::hosts),
            Setting.of(
                    "mask-headers",
                    ValueFormat.TEXT,
                    "none",
                    "Headers whose values nobody sees, separated by commas.",
                    Builder::maskHeaders),
            Setting.of(
                    "mask-payload",
                    ValueFormat.TEXT,
                    "none",
                    "JSON pointers to parts of payloads that nobody sees, separated by commas; `*` stands for every"
                            + " element. A payload that is not JSON is then hidden whole.",
                    Builder::maskPayload),
            Setting.of(
                    "trace-link",
                    ValueFormat.TEXT,
                    "none",
                    "Address of a trace, with `{trace}` where its id goes.",
                    Builder::traceLink),
            Setting.of(
                    "descriptor-set",
                    ValueFormat.TEXT,
                    "none",
                    "A file of `protoc --descriptor_set_out --include_imports`, by which protobuf payloads are shown"
                            + " as JSON. The type of a message is its full name there.",
                    Builder::descriptorSet));

    /** Collects the settings; each setter refuses a bad value. */
    public static final class Builder {

        private String path = "/console";
        private Optional<Path> tokenFile = Optional.empty();
        private Role loopbackRole = Role.METADATA;
        private List<String> hosts = List.of();
        private List<String> maskHeaders = List.of();
        private List<String> maskPayload = List.of();
        private Optional<String> traceLink = Optional.empty();
        private Optional<Path> descriptorSet = Optional.empty();

        public Builder path(String value) {
            if (!value.matches("(/[A-Za-z0-9._~-]+)+")) {
                throw new IllegalArgumentException("is '" + value + "', expected something like /console");
            }
            this.path = value;
            return this;
        }

        public Builder tokenFile(String value) {
            this.tokenFile = Optional.of(Path.of(value));
            return this;
        }

        public Builder loopbackRole(Role value) {
            this.loopbackRole = value;
            return this;
        }

        public Builder hosts(String value) {
            this.hosts = listed(value);
            return this;
        }

        public Builder maskHeaders(String value) {
            this.maskHeaders = listed(value);
            return this;
        }

        public Builder maskPayload(String value) {
            listed(value).stream()
                    .filter(pointer -> !pointer.startsWith("/"))
                    .findFirst()
                    .ifPresent(wrong -> {
                        throw new IllegalArgumentException(
                                "has '" + wrong + "', expected JSON pointers such as /customer/email");
                    });
            this.maskPayload = listed(value);
            return this;
        }

        public Builder traceLink(String value) {
            if (!value.matches("https?://.*")) {
                throw new IllegalArgumentException("is '" + value + "', expected an address that begins with http");
            }
            this.traceLink = Optional.of(value);
            return this;
        }

        public Builder descriptorSet(String value) {
            this.descriptorSet = Optional.of(Path.of(value));
            return this;
        }

        private static List<String> listed(String value) {
            return Arrays.stream(value.split(",", -1))
                    .map(String::strip)
                    .filter(part -> !part.isEmpty())
                    .toList();
        }

        public ConsoleSettings build() {
            return new ConsoleSettings(
                    path,
                    tokenFile,
                    loopbackRole,
                    hosts,
                    new Masked(maskHeaders, maskPayload),
                    traceLink,
                    descriptorSet);
        }
    }
}
