package dev.postrider.testservers;

/** One way to get the programs of a server. */
interface InstallationSource {

    /**
     * Finds, unpacks or downloads the programs.
     *
     * @throws ServerUnavailableException if this way is not open on this machine; the message says why
     */
    Installation install();
}
