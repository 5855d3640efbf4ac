package dev.postrider.store.mysql;

class MariadbPartitionsIT extends MysqlPartitionsIT {

    @Override
    TestServer server() {
        return TestServer.ODD_MARIADB;
    }
}
