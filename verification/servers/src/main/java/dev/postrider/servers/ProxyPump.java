package dev.postrider.servers;

import dev.postrider.servers.TcpFaultProxy.Direction;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Carries the bytes of one connection in one direction, as well as the faults let it. */
final class ProxyPump implements Runnable {

    private static final int PORTION = 16 * 1024;

    private final Direction direction;
    private final Socket from;
    private final Socket to;
    private final List<LinkFaults> faults;
    private final Runnable onEnd;
    private final AtomicLong carried = new AtomicLong();
    private volatile long countedFrom;

    ProxyPump(Direction direction, Socket from, Socket to, List<LinkFaults> faults, Runnable onEnd) {
        this.direction = direction;
        this.from = from;
        this.to = to;
        this.faults = faults;
        this.onEnd = onEnd;
    }

    long carried() {
        return carried.get();
    }

    void countFromNow() {
        countedFrom = carried.get();
    }

    @Override
    public void run() {
        try {
            pumpToTheEnd();
        } catch (IOException ended) {
            // One side has closed or reset its connection; the other learns of it by our ending.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            onEnd.run();
        }
    }

    private void pumpToTheEnd() throws IOException, InterruptedException {
        byte[] portion = new byte[PORTION];
        for (int length = from.getInputStream().read(portion);
                length >= 0;
                length = from.getInputStream().read(portion)) {
            awaitFlow();
            if (!write(portion, length)) {
                return;
            }
        }
        awaitFlow();
    }

    private void awaitFlow() throws InterruptedException {
        for (LinkFaults fault : faults) {
            fault.awaitFlow(direction, to::isClosed);
        }
    }

    /** Returns whether the connection may carry on. */
    private boolean write(byte[] portion, int length) throws IOException, InterruptedException {
        long allowed = length;
        for (LinkFaults fault : faults) {
            fault.pace(length);
            allowed = Math.min(allowed, fault.bytesLeft(direction, carried.get() - countedFrom));
        }
        to.getOutputStream().write(portion, 0, (int) allowed);
        carried.addAndGet(allowed);
        return allowed == length;
    }
}
