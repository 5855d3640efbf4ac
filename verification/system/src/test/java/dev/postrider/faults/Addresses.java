package dev.postrider.faults;

import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.testservers.Database;

/** Ways to a database. */
final class Addresses {

    private Addresses() {}

    static TcpFaultProxy proxyTo(Database database) {
        return TcpFaultProxy.to(database.server().host(), database.server().port());
    }

    /** The same database through a proxy. */
    static String through(TcpFaultProxy proxy, Database database) {
        String direct =
                "//" + database.server().host() + ":" + database.server().port() + "/";
        return database.jdbcUrl().replace(direct, "//127.0.0.1:" + proxy.port() + "/");
    }
}
