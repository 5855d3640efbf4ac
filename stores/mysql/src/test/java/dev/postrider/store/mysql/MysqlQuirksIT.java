package dev.postrider.store.mysql;

class MysqlQuirksIT extends QuirksContract {

    MysqlQuirksIT() {
        super(TestServer.MYSQL);
    }
}
