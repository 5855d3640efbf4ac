package dev.postrider.store.mysql;

class MariadbDrawnNumbersIT extends DrawnNumbersContract {
    MariadbDrawnNumbersIT() {
        super(TestServer.MARIADB);
    }
}
