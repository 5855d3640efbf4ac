package dev.postrider.store.mysql;

import dev.postrider.testservers.MariadbServer;

class MariadbRestartIT extends RestartContract {

    MariadbRestartIT() {
        super(MariadbServer.startPrivate(FORGETFUL));
    }
}
