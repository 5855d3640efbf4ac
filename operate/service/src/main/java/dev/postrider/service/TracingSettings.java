package dev.postrider.service;

import dev.postrider.opentelemetry.OpenTelemetryTracing;
import dev.postrider.service.config.Section;
import dev.postrider.service.config.Setting;
import dev.postrider.service.config.ValueFormat;
import dev.postrider.spi.TraceContext;
import io.opentelemetry.api.GlobalOpenTelemetry;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys of the section {@code tracing}: each is one call of {@link OpenTelemetryTracing.Builder}. */
final class TracingSettings {

    static final List<Setting<OpenTelemetryTracing.Builder>> SETTINGS = List.of(Setting.of(
            "send-as-child",
            ValueFormat.FLAG,
            "Whether a send is a child of the span in which its message was created, instead of a trace of its own"
                    + " that is linked to it.",
            OpenTelemetryTracing.Builder::sendAsChild));

    private static final Logger LOG = LoggerFactory.getLogger(TracingSettings.class);

    private TracingSettings() {}

    /** Tracing with what this process has: the Java agent sets it up before anything else runs. */
    static TraceContext read(Section section) {
        OpenTelemetryTracing.Builder builder = OpenTelemetryTracing.builder(GlobalOpenTelemetry.getOrNoop());
        section.allow(Setting.names(SETTINGS));
        section.applyTo(builder, SETTINGS);
        return builder.build();
    }

    /** Tells whoever relays, not every command that reads the file. */
    static void warnWithoutAgent(TraceContext tracing) {
        if (tracing != TraceContext.NONE && !GlobalOpenTelemetry.isSet()) {
            LOG.warn("The file has a section 'tracing', but this process has no OpenTelemetry: there will be no spans."
                    + " Start Java with -javaagent:opentelemetry-javaagent.jar, or remove the section");
        }
    }
}
