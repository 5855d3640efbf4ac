package dev.postrider.prove.server;

import dev.postrider.prove.ProofException;
import dev.postrider.servers.TcpFaultProxy;
import dev.postrider.service.database.DatabaseSettings;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One relay's way to the database, which can be cut. Close it.
 *
 * @param url what the relay is given
 */
public record DatabaseLink(String url, TcpFaultProxy proxy) implements AutoCloseable {

    private static final Pattern URL =
            Pattern.compile("(jdbc:(postgresql|mysql|mariadb)://)([^/:,?]+)(?::(\\d+))?(/[^,]*)");

    public static DatabaseLink to(DatabaseSettings database) {
        Matcher url = URL.matcher(database.url());
        if (!url.matches()) {
            throw new ProofException("The address of the database names no single server, such as"
                    + " jdbc:postgresql://host:5432/name; relays reach it through a proxy");
        }
        int usualPort = url.group(2).equals("postgresql") ? 5432 : 3306;
        int port = url.group(4) == null ? usualPort : Integer.parseInt(url.group(4));
        TcpFaultProxy proxy = TcpFaultProxy.to(url.group(3), port);
        return new DatabaseLink(url.group(1) + "127.0.0.1:" + proxy.port() + url.group(5), proxy);
    }

    @Override
    public void close() {
        proxy.close();
    }
}
