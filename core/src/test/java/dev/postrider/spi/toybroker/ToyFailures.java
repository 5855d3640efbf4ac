package dev.postrider.spi.toybroker;

import dev.postrider.spi.DeliveryResult;

/** Says what the broker's codes and a lost connection mean for a message. */
final class ToyFailures {

    static final byte TAKEN = 0;
    static final byte NO_SUCH_TOPIC = 1;

    private ToyFailures() {}

    static DeliveryResult of(byte code, String topic) {
        return switch (code) {
            case TAKEN -> DeliveryResult.DELIVERED;
            case NO_SUCH_TOPIC ->
                DeliveryResult.unavailable(place(topic), "The broker has no topic '%s': create it".formatted(topic));
            default -> DeliveryResult.retry("The broker refused the message with code " + code);
        };
    }

    static DeliveryResult ofSize(ToyLink.Frame frame) {
        return DeliveryResult.reject("The message is too large: %d bytes, the broker takes %d"
                .formatted(frame.body().length, ToyLink.MAX_BYTES));
    }

    static DeliveryResult ofLostConnection(Throwable cause) {
        return DeliveryResult.outage("The connection to the broker was lost: " + cause.getMessage(), cause);
    }

    static String place(String topic) {
        return "topic '" + topic + "'";
    }
}
