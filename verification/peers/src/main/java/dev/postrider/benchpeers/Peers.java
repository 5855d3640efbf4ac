package dev.postrider.benchpeers;

import java.util.List;

/** All that are measured, with Postrider as the last. Stateless. */
final class Peers {

    private Peers() {}

    static List<Peer> all() {
        return List.of(
                new GruelboxPeer(),
                new NamastackPeer(),
                new ModulithPeer(),
                new JobrunrPeer(),
                new DbSchedulerPeer(),
                new SkipLockedPeer(),
                new PostriderPeer());
    }
}
