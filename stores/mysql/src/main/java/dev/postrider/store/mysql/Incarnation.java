package dev.postrider.store.mysql;

/**
 * One run of one server: after a crash a server may hand out seqs again, and a server that was promoted may lack commits.
 *
 * @param server what tells servers apart: {@code @@server_uuid} where there is one, else host, port and server id
 * @param startedAt when the run began, in seconds since 1970 by the server's clock
 */
record Incarnation(String server, long startedAt) {

    /**
     * The start is computed as now minus uptime, both in whole seconds, and may come out one second apart. Two runs are
     * further apart than that, since a server needs longer to come up.
     */
    private static final long ROUNDING_SECONDS = 1;

    boolean isSameAs(Incarnation other) {
        return server.equals(other.server) && Math.abs(startedAt - other.startedAt) <= ROUNDING_SECONDS;
    }
}
