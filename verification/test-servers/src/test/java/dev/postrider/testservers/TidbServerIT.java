package dev.postrider.testservers;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "postrider.test.tidb", matches = "true", disabledReason = "TiDB only: .ci/tidb")
class TidbServerIT extends ServerContract {
    @Override
    DatabaseServer shared() {
        return Servers.tidb();
    }

    @Override
    PrivateServer startPrivate() {
        return TidbServer.startPrivate();
    }
}
