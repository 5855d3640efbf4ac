package dev.postrider.servers;

import java.net.URI;

/**
 * A way to a broker that can be cut. Close it.
 *
 * @param uri what clients are given
 */
public record BrokerLink(String uri, TcpFaultProxy proxy) implements AutoCloseable {

    /** A way to a broker that does not tell its clients where else to connect. */
    public static BrokerLink to(String uri) {
        URI address = URI.create(uri);
        TcpFaultProxy proxy = TcpFaultProxy.to(address.getHost(), address.getPort());
        String account = address.getRawUserInfo() == null ? "" : address.getRawUserInfo() + "@";
        return new BrokerLink(
                "%s://%s127.0.0.1:%d%s".formatted(address.getScheme(), account, proxy.port(), address.getRawPath()),
                proxy);
    }

    @Override
    public void close() {
        proxy.close();
    }
}
