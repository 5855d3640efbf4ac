package dev.postrider.service.doctor;

import dev.postrider.internal.Readable;
import dev.postrider.message.MessageLimits;
import dev.postrider.spi.Check;
import dev.postrider.spi.Finding;
import java.sql.SQLException;
import java.util.List;

/** Looks whether the largest allowed message fits into one packet. */
final class MysqlPacketCheck implements Check {

    private static final long REST_OF_MESSAGE = 8 << 10;

    private final MysqlVariables variables;
    private final MessageLimits limits;

    MysqlPacketCheck(MysqlVariables variables, MessageLimits limits) {
        this.variables = variables;
        this.limits = limits;
    }

    @Override
    public String name() {
        return "max_allowed_packet";
    }

    @Override
    public List<Finding> run() throws SQLException {
        long packet = variables.read().number("max_allowed_packet");
        // Drivers send bytes escaped, which at worst doubles them.
        long needed = 2 * (limits.maxPayloadBytes() + 2L * limits.maxHeaderBytes() + REST_OF_MESSAGE);
        return packet == 0 || packet >= needed
                ? List.of()
                : List.of(Finding.error(
                        "max_allowed_packet is %s, the largest allowed message needs %s"
                                .formatted(Readable.bytes(packet), Readable.bytes(needed)),
                        "a relay refuses to start: such a message could be written but not moved",
                        "SET PERSIST max_allowed_packet = %d (MariaDB: in its file), or lower max-payload-bytes"
                                .formatted(Math.max(needed, 16 << 20))));
    }
}
