package dev.postrider.store.mysql;

class MariadbLateCommitIT extends LateCommitContract {

    MariadbLateCommitIT() {
        super(TestServer.MARIADB);
    }
}
