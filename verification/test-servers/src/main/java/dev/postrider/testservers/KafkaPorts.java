package dev.postrider.testservers;

/**
 * Where one Kafka node listens.
 *
 * @param plain for clients and other nodes, without encryption or account
 * @param tls with the test certificate
 * @param sasl where clients name the account
 * @param proxied where a fault proxy connects to
 * @param advertised where clients of the proxied listener are told to connect to: the port of the fault proxy
 * @param controller for the controllers' own talk
 */
record KafkaPorts(int plain, int tls, int sasl, int proxied, int advertised, int controller) {

    static KafkaPorts pick(int plain, int tls) {
        return new KafkaPorts(plain, tls, FreePort.pick(), FreePort.pick(), FreePort.pick(), FreePort.pick());
    }
}
