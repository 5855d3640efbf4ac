package dev.postrider.store.mysql;

class MysqlDrawnNumbersIT extends DrawnNumbersContract {
    MysqlDrawnNumbersIT() {
        super(TestServer.MYSQL);
    }
}
