package dev.postrider.cli.demo;

/**
 * How large a demo is.
 *
 * @param orders how many orders are written, 1 to {@value #MAX_ORDERS}
 * @param relays how many relays deliver, {@value #MIN_RELAYS} to {@value #MAX_RELAYS}: one is killed, the others go on
 */
public record DemoSettings(int orders, int relays) {

    public static final int MAX_ORDERS = 1_000_000;
    public static final int MIN_RELAYS = 2;
    public static final int MAX_RELAYS = 16;
}
