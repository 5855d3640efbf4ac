package dev.postrider.store.mysql;

class MysqlSessionIT extends SessionContract {

    MysqlSessionIT() {
        super(TestServer.MYSQL);
    }
}
