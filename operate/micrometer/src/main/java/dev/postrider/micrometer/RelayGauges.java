package dev.postrider.micrometer;

import dev.postrider.relay.DestinationState;
import dev.postrider.relay.Relay;
import dev.postrider.relay.UnavailablePlace;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Shows how the running relays of this process stand. Thread-safe. */
final class RelayGauges {

    private final Meters meters;
    private final List<Relay> running = new CopyOnWriteArrayList<>();
    private final Set<String> shown = ConcurrentHashMap.newKeySet();

    RelayGauges(Meters meters) {
        this.meters = meters;
        meters.gauge(PostriderMeter.LANES_OWNED, this::ownedLanes);
    }

    void started(Relay relay) {
        running.add(relay);
        relay.destinations().keySet().stream().filter(shown::add).forEach(this::show);
    }

    void closed(Relay relay) {
        running.remove(relay);
    }

    private void show(String destination) {
        meters.gauge(PostriderMeter.DESTINATION_DOWN, () -> any(destination, DestinationState.DOWN), destination);
        meters.gauge(PostriderMeter.PLACES_UNAVAILABLE, () -> unavailablePlaces(destination), destination);
        meters.gauge(PostriderMeter.DESTINATION_PAUSED, () -> any(destination, DestinationState.PAUSED), destination);
    }

    private int ownedLanes() {
        return running.stream().mapToInt(relay -> relay.ownedLanes().size()).sum();
    }

    private long unavailablePlaces(String destination) {
        return running.stream()
                .flatMap(relay -> relay.unavailablePlaces().stream())
                .filter(place -> place.destination().equals(destination))
                .map(UnavailablePlace::place)
                .distinct()
                .count();
    }

    private int any(String destination, DestinationState state) {
        return running.stream().anyMatch(relay -> relay.destinations().get(destination) == state) ? 1 : 0;
    }
}
