package dev.postrider.destination.nats;

import dev.postrider.internal.ShellWord;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import dev.postrider.spi.internal.Link.NoLinkException;
import dev.postrider.spi.internal.LinkSender;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks whether a stream takes a subject, and keeps acknowledged messages when a server is lost. */
final class SubjectCheck implements Check {

    private static final int ENOUGH_REPLICAS = 3;

    private final LinkSender<Message, NatsLink> sender;
    private final String subject;
    private final Optional<String> expectedStream;
    private final boolean isCreated;

    /** Whether a missing stream is created by the destination matters: then it is no mistake. */
    SubjectCheck(
            LinkSender<Message, NatsLink> sender, String subject, Optional<String> expectedStream, boolean isCreated) {
        this.sender = sender;
        this.subject = subject;
        this.expectedStream = expectedStream;
        this.isCreated = isCreated;
    }

    @Override
    public String name() {
        return "NATS subject " + subject;
    }

    @Override
    public List<Finding> run() throws NoLinkException, IOException, JetStreamApiException {
        JetStreamManagement management = sender.link().connection().jetStreamManagement();
        List<String> streams = management.getStreamNames(subject);
        if (streams.isEmpty()) {
            return isCreated ? List.of() : List.of(noStream());
        }
        List<Finding> findings = new ArrayList<>();
        expectedStream
                .filter(stream -> !streams.contains(stream))
                .map(stream -> otherStream(stream, streams))
                .ifPresent(findings::add);
        findings.addAll(findings(management.getStreamInfo(streams.get(0))));
        return findings;
    }

    private Finding noStream() {
        return Finding.error(
                "no stream takes subject " + subject,
                "its messages fail and end as dead letters",
                "Create a stream: nats stream add --subjects " + ShellWord.of(subject)
                        + " --replicas 3 --storage file");
    }

    private Finding otherStream(String expected, List<String> streams) {
        return Finding.error(
                "subject %s belongs to stream %s, expected-stream is %s".formatted(subject, streams.get(0), expected),
                "its messages are refused",
                "Correct expected-stream, or the subjects of the streams");
    }

    private static List<Finding> findings(StreamInfo stream) {
        List<Finding> findings = new ArrayList<>();
        StreamConfiguration config = stream.getConfiguration();
        if (config.getStorageType() == StorageType.Memory) {
            findings.add(Finding.warning(
                    "stream " + config.getName() + " is kept in memory",
                    "a restart of its servers loses acknowledged messages",
                    "Make a new stream with file storage and move the subjects to it"));
        }
        if (config.getReplicas() < ENOUGH_REPLICAS) {
            findings.add(Finding.warning(
                    "stream %s has %d replica%s"
                            .formatted(config.getName(), config.getReplicas(), config.getReplicas() == 1 ? "" : "s"),
                    "a server that is lost takes acknowledged messages with it, or stops delivery",
                    "nats stream edit " + ShellWord.of(config.getName()) + " --replicas 3"));
        }
        if (config.getDiscardPolicy() == DiscardPolicy.Old && (config.getMaxMsgs() > 0 || config.getMaxBytes() > 0)) {
            findings.add(Finding.note(
                    "stream " + config.getName() + " has a limit and discards old messages",
                    "delivered messages may vanish before a slow consumer has seen them",
                    "Use discard new, which makes the relay wait, if that must not be"));
        }
        Optional.ofNullable(stream.getClusterInfo())
                .filter(cluster -> cluster.getLeader() == null && cluster.getName() != null)
                .map(cluster -> noLeader(config, cluster))
                .ifPresent(findings::add);
        return findings;
    }

    private static Finding noLeader(StreamConfiguration config, ClusterInfo cluster) {
        return Finding.error(
                "stream " + config.getName() + " has no leader in cluster " + cluster.getName(),
                "it takes no messages at present; the relay waits",
                "Bring the missing servers back");
    }
}
