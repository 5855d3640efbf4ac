package dev.postrider.testservers;

class MariadbServerIT extends ServerContract {
    @Override
    DatabaseServer shared() {
        return Servers.mariadb();
    }

    @Override
    PrivateServer startPrivate() {
        return MariadbServer.startPrivate();
    }
}
