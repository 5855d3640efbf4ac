package dev.postrider.store.mysql;

class MariadbSessionIT extends SessionContract {

    MariadbSessionIT() {
        super(TestServer.MARIADB);
    }
}
