package dev.postrider.relay;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** What a relay is called where it owns lanes: host, process and a random id, as in {@code orders-7d4f/1/5b0c91d2e7a4}. */
final class RelayName {

    private static final int LONGEST_HOST = 40;
    private static final long ID_BITS = (1L << 48) - 1;

    private RelayName() {}

    /** One that is never given twice: processes of containers have the same number each time. */
    static String next() {
        long id = ThreadLocalRandom.current().nextLong() & ID_BITS;
        return "%s/%d/%012x"
                .formatted(Host.NAME, ProcessHandle.current().pid(), id)
                .toLowerCase(Locale.ROOT);
    }

    /** Asked once: the answer may take a while where names are resolved slowly. */
    private static final class Host {

        static final String NAME = cut(Stream.of("HOSTNAME", "COMPUTERNAME")
                .map(System::getenv)
                .flatMap(name -> Optional.ofNullable(name).stream())
                .findFirst()
                .orElseGet(Host::resolved));

        private static String resolved() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException nameless) {
                return "unknown-host";
            }
        }

        private static String cut(String name) {
            return name.length() > LONGEST_HOST ? name.substring(0, LONGEST_HOST) : name;
        }
    }
}
