package dev.postrider.launcher;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.prove.server.ProofSite;
import dev.postrider.service.database.OutboxDatabase;
import java.io.IOException;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;

/** What a proof has left behind at its servers: tables, functions, topic or queue. Stateless. */
final class Leftovers {

    private Leftovers() {}

    static Set<String> at(ProofSite site) throws Exception {
        Set<String> found = new TreeSet<>();
        addTables(site, found);
        if (site.brokerUri().startsWith("kafka://")) {
            addTopics(site.brokerUri().substring("kafka://".length()), found);
        } else {
            addQueue(site.brokerUri(), found);
        }
        return found;
    }

    private static void addTables(ProofSite site, Set<String> found) throws Exception {
        try (OutboxDatabase database = OutboxDatabase.open(site.database());
                var connection = database.dataSource().getConnection()) {
            DatabaseMetaData data = connection.getMetaData();
            String catalog = connection.getCatalog();
            String pattern = TestProof.NAME + "%";
            try (ResultSet tables = data.getTables(catalog, null, pattern, new String[] {"TABLE"});
                    ResultSet functions = data.getFunctions(catalog, null, pattern)) {
                add(tables, "TABLE_NAME", "table ", found);
                add(functions, "FUNCTION_NAME", "function ", found);
            }
        }
    }

    private static void add(ResultSet rows, String column, String kind, Set<String> found) throws Exception {
        while (rows.next()) {
            found.add(kind + rows.getString(column));
        }
    }

    private static void addTopics(String servers, Set<String> found) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.listTopics().names().get().stream()
                    .filter(topic -> topic.startsWith(TestProof.NAME))
                    .forEach(topic -> found.add("topic " + topic));
        }
    }

    private static void addQueue(String uri, Set<String> found) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        try (Connection connection = factory.newConnection()) {
            addIfThere("queue ", channel -> channel.queueDeclarePassive(TestProof.NAME), connection, found);
            addIfThere("exchange ", channel -> channel.exchangeDeclarePassive(TestProof.NAME), connection, found);
        }
    }

    private interface Look {
        Object at(Channel channel) throws IOException;
    }

    /** The broker closes the channel of who asks for what is not there. */
    private static void addIfThere(String kind, Look look, Connection connection, Set<String> found)
            throws IOException {
        Channel channel = connection.createChannel();
        try {
            look.at(channel);
            found.add(kind + TestProof.NAME);
        } catch (IOException absent) {
            return;
        }
        channel.abort();
    }
}
