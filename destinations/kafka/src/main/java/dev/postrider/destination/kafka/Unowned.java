package dev.postrider.destination.kafka;

import dev.postrider.spi.LaneTenure;

/** The tenure of a message that is sent on nobody's behalf, outside of a relay. It is never fenced. */
enum Unowned implements LaneTenure {
    LANE;

    @Override
    public int lane() {
        return 0;
    }

    @Override
    public long epoch() {
        return 0;
    }

    @Override
    public boolean isCertain() {
        return true;
    }
}
