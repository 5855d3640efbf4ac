package dev.postrider.destination.rabbitmq;

/** The exchanges and queues that a receiver needs at the broker. */
interface Topology {

    /** Declares all of it; what exists in the same form stays as it is. */
    void declare(TopologySteps steps);

    /** Makes sure that all of it exists. */
    void verify(TopologySteps steps);
}
