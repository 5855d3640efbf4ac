package dev.postrider.store.mysql;

class MysqlSchemaIT extends SchemaContract {

    MysqlSchemaIT() {
        super(TestServer.MYSQL);
    }
}
