package dev.postrider.store.mysql;

class MariadbQuirksIT extends QuirksContract {

    MariadbQuirksIT() {
        super(TestServer.MARIADB);
    }
}
