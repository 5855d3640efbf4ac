package dev.postrider.destination.memory;

import java.util.ArrayDeque;
import java.util.List;

/** The newest parked messages. */
final class ParkingLot {

    static final int CAPACITY = 10_000;

    private final ArrayDeque<ParkedMessage> parked = new ArrayDeque<>();

    synchronized void add(ParkedMessage message) {
        if (parked.size() == CAPACITY) {
            parked.removeFirst();
        }
        parked.addLast(message);
    }

    synchronized List<ParkedMessage> contents() {
        return List.copyOf(parked);
    }
}
