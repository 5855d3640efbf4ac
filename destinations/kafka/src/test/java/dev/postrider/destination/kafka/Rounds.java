package dev.postrider.destination.kafka;

/** How often the tests of faults repeat them: once, unless {@code .ci/kafka-faults} wants more. */
final class Rounds {

    static final int COUNT = Integer.getInteger("kafka.faults.rounds", 1);

    private Rounds() {}
}
