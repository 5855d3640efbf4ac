package dev.postrider.source;

import dev.postrider.spi.Pauses;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Paused destinations, for the relays of this process. */
final class SourcePauses implements Pauses {

    private final Set<String> paused = ConcurrentHashMap.newKeySet();

    @Override
    public Set<String> paused() {
        return Set.copyOf(paused);
    }

    @Override
    public void pause(String destination, String operator) {
        paused.add(destination);
    }

    @Override
    public void resume(String destination, String operator) {
        paused.remove(destination);
    }
}
