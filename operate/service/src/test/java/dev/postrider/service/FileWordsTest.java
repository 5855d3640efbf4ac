package dev.postrider.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.DeliveryResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whoever has a configuration file reads keys and commands, not methods of builders. */
class FileWordsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "create it, or allow createTopics | create it, or allow create-topics",
                "declare it, or let declareExchanges() do so | declare it, or let declare-exchanges do so",
                "create one, or let createStream(...) do so, or correct it | create one, or correct it",
                "Create them with schemaMode(CREATE) | Create them with 'postrider schema apply'",
                "the SQL that schemaSql() returns | the SQL that 'postrider schema print' returns",
                "say scanMode(SINGLE_WRITER) | say scan-mode: single-writer",
                "create one with lanes(1) | create one with lanes: 1",
                "deliveryTimeout is 6 s | delivery-timeout is 6 s",
                "Ordering.GLOBAL needs one lane | ordering: global needs one lane",
                "for user(s) of targetServerType=primary | for user(s) of targetServerType=primary",
            })
    void namesKeysAndCommands(String text, String expected) {
        assertThat(FileWords.of(text)).isEqualTo(expected);
    }

    @Test
    void keepsWhatAFailureIs() {
        RuntimeException cause = new RuntimeException("no");

        assertThat(FileWords.of(DeliveryResult.retry("allow createTopics", cause)))
                .isEqualTo(DeliveryResult.retry("allow create-topics", cause));
        assertThat(FileWords.of(DeliveryResult.reject("lanes(1)"))).isEqualTo(DeliveryResult.reject("lanes: 1"));
        assertThat(FileWords.of(DeliveryResult.outage("away"))).isEqualTo(DeliveryResult.outage("away"));
        assertThat(FileWords.of(DeliveryResult.unavailable("topic t", "allow createTopics", cause)
                        .concerningTopic(true)))
                .isEqualTo(DeliveryResult.unavailable("topic t", "allow create-topics", cause)
                        .concerningTopic(true));
    }
}
