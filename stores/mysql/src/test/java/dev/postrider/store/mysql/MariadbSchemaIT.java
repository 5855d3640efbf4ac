package dev.postrider.store.mysql;

class MariadbSchemaIT extends SchemaContract {

    MariadbSchemaIT() {
        super(TestServer.MARIADB);
    }
}
