package dev.postrider.store.mysql;

class MysqlLateCommitIT extends LateCommitContract {

    MysqlLateCommitIT() {
        super(TestServer.MYSQL);
    }
}
