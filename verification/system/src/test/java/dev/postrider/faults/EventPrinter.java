package dev.postrider.faults;

import dev.postrider.relay.Attempt;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.DeliveryResult;
import java.time.Duration;

/** Prints the events that tests wait for or must not see. */
final class EventPrinter implements RelayListener {

    @Override
    public void failed(Attempt attempt, DeliveryResult.Failed failure, Duration took) {
        RelayEvent.FAILED.print(attempt.message().id());
    }

    @Override
    public void laneLost(int lane) {
        RelayEvent.LANE_LOST.print(lane);
    }

    @Override
    public void paused(String destination) {
        RelayEvent.PAUSED.print(destination);
    }

    @Override
    public void stalled(String part, Duration since) {
        RelayEvent.STALLED.print(part);
    }

    @Override
    public void sweepFoundMissed(int lane, int rows) {
        RelayEvent.MISSED.print(rows + " rows of lane " + lane);
    }

    @Override
    public void crashed(String part, Throwable failure) {
        RelayEvent.CRASHED.print(part + ": " + failure);
    }
}
