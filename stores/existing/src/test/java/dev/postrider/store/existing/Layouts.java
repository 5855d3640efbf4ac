package dev.postrider.store.existing;

import dev.postrider.testservers.Servers;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The combinations of server and preset that tests run on. */
final class Layouts {

    private Layouts() {}

    /** One for each way to remember what has failed. */
    static Stream<Arguments> leaders() {
        return Stream.of(
                Arguments.of(Server.POSTGRES, Preset.EVENT_OUTBOX),
                Arguments.of(Server.POSTGRES, Preset.OUTBOX_EVENTS),
                Arguments.of(Server.MYSQL, Preset.RECORDS),
                Arguments.of(Server.MYSQL, Preset.ENUM_STATUS),
                Arguments.of(Servers.isTidbForMysql() ? Server.MYSQL : Server.MARIADB, Preset.PENDING_WAIT));
    }

    /** One for each way to claim rows on each kind of server. */
    static Stream<Arguments> all() {
        return Stream.of(
                Arguments.of(Server.POSTGRES, Preset.EVENT_OUTBOX),
                Arguments.of(Server.POSTGRES, Preset.OUTBOX_EVENTS),
                Arguments.of(Server.MYSQL, Preset.RECORDS),
                Arguments.of(Server.MYSQL, Preset.ENUM_STATUS),
                Arguments.of(Server.MARIADB, Preset.RECORDS_BINARY_PARTITIONED),
                Arguments.of(Server.MARIADB, Preset.ENUM_STATUS));
    }
}
