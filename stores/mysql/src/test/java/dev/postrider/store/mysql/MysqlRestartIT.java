package dev.postrider.store.mysql;

import dev.postrider.testservers.MysqlServer;

class MysqlRestartIT extends RestartContract {

    MysqlRestartIT() {
        super(MysqlServer.startPrivate(FORGETFUL));
    }
}
