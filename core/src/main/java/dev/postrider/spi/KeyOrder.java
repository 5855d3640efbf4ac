package dev.postrider.spi;

/** What a destination promises about messages that must keep their order: those of one {@link KeyRun}. */
public enum KeyOrder {

    /** Nothing: the relay sends the next message of a run when the one before has ended. Right for every destination. */
    ONE_BY_ONE,

    /**
     * What takes effect is always a prefix of what was begun, so the relay sends many messages of a run without waiting:
     *
     * <ul>
     *   <li>A message takes effect only behind every earlier one of its run that was not rejected, even one that was reported as not
     *       delivered.
     *   <li>When a message ends as anything but delivered or rejected, the destination {@linkplain KeyRun#breakOff breaks off} its run
     *       before it reports that end. From then on no message of the run begins, and no later one ends as delivered: each ends as
     *       {@link DeliveryResult.Abandoned}, or as what it met itself.
     *   <li>A rejected message does not break off its run. What can be refused for good is refused before it is sent.
     * </ul>
     */
    PIPELINED
}
