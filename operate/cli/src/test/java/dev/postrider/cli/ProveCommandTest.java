package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProveCommandTest {

    private static final String DATABASE = "jdbc:postgresql://127.0.0.1:1/app";
    private static final String BROKER = "amqp://guest:guest@127.0.0.1:1";

    private final Shell shell = new Shell();

    @Test
    void asksForAddressesBecauseItStartsNoServers() {
        assertThat(prove("postgres", BROKER)).isEqualTo(2);
        assertThat(shell.err()).contains("This program starts none, give an address such as jdbc:postgresql://");
        assertThat(prove(DATABASE, "kafka")).isEqualTo(2);
        assertThat(shell.err()).contains("kafka://host:9092");
    }

    @Test
    void refusesFaultsThatWouldStopServersOfTheUser() {
        assertThat(prove(DATABASE, BROKER, "--faults", "kill,outage")).isEqualTo(2);
        assertThat(shell.err()).contains("The fault 'outage' would stop a server that is not ours; leave it out");
        assertThat(prove(DATABASE, BROKER, "--faults", "db-restart")).isEqualTo(2);
        assertThat(shell.err()).contains("The fault 'db-restart' would stop a server that is not ours");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThat(prove(DATABASE, BROKER, "--faults", "flood")).isEqualTo(2);
        assertThat(shell.err()).contains("There is no fault 'flood'");
        assertThat(prove(DATABASE, BROKER, "--seconds", "1")).isEqualTo(2);
        assertThat(shell.err()).contains("at least 5 seconds");
        assertThat(prove(DATABASE, BROKER, "--relays", "17")).isEqualTo(2);
        assertThat(shell.err()).contains("1 to 16 relays");
    }

    private int prove(String store, String destination, String... more) {
        String[] words = {"prove", "--store", store, "--destination", destination};
        String[] all = Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
        return shell.run(all);
    }
}
