package dev.postrider.benchpeers;

import java.util.List;

/** All that can be measured, the fastest last. Stateless. */
final class Peers {

    private Peers() {}

    static List<Peer> all() {
        return List.of(
                new GruelboxPeer(),
                new NamastackPeer(),
                new ModulithPeer(),
                new JobrunrPeer(),
                new DbSchedulerPeer(),
                new SkipLockedPeer());
    }
}
