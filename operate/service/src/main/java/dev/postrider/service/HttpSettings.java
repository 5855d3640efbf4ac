package dev.postrider.service;

import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import java.util.List;

/**
 * Where the service answers over HTTP.
 *
 * @param port 0 for any free one, which is logged
 * @param hasConventions whether the metrics have those of OpenTelemetry's messaging conventions too
 */
record HttpSettings(boolean isEnabled, String host, int port, boolean hasConventions) {

    static final List<Setting<Builder>> SETTINGS = List.of(
            Setting.of("enabled", ValueFormat.FLAG, "Whether to answer over HTTP at all.", Builder::enabled),
            Setting.of(
                    "host",
                    ValueFormat.TEXT,
                    "The address to listen at; 0.0.0.0 lets other machines ask. There is no login.",
                    Builder::host),
            Setting.of("port", ValueFormat.NUMBER, "The port; 0 takes a free one and logs it.", Builder::port),
            Setting.of(
                    "messaging-conventions",
                    ValueFormat.FLAG,
                    "Whether `/metrics` counts sends under the names of OpenTelemetry's messaging conventions too.",
                    Builder::messagingConventions));

    /** Collects the settings. */
    static final class Builder {

        private boolean enabled = true;
        private String host = "127.0.0.1";
        private int port = 8081;
        private boolean messagingConventions;

        void enabled(boolean value) {
            this.enabled = value;
        }

        void host(String value) {
            this.host = value;
        }

        void port(int value) {
            if (value < 0 || value > 65_535) {
                throw new IllegalArgumentException("is " + value + ", expected 0 to 65535");
            }
            this.port = value;
        }

        void messagingConventions(boolean value) {
            this.messagingConventions = value;
        }

        HttpSettings build() {
            return new HttpSettings(enabled, host, port, messagingConventions);
        }
    }
}
