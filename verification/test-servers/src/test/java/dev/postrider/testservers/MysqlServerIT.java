package dev.postrider.testservers;

class MysqlServerIT extends ServerContract {
    @Override
    DatabaseServer shared() {
        return Servers.mysql();
    }

    @Override
    PrivateServer startPrivate() {
        return MysqlServer.startPrivate();
    }
}
