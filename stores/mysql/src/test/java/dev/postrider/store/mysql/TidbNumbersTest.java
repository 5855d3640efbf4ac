package dev.postrider.store.mysql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TidbNumbersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE `outbox` (…) ENGINE=InnoDB /*T![auto_id_cache] AUTO_ID_CACHE=1 */",
                "CREATE TABLE `outbox` (…) /*T![auto_id_cache] AUTO_ID_CACHE = 1 */ COMMENT='x'",
            })
    void acceptsNumbersDrawnInOnePlace(String createTable) {
        assertThatCode(() -> TidbNumbers.check(createTable, "outbox")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"CREATE TABLE `outbox` (…)", "CREATE TABLE `outbox` (…) /*T![auto_id_cache] AUTO_ID_CACHE=100 */"
            })
    void refusesNumbersHandedOutInBlocks(String createTable) {
        assertThatThrownBy(() -> TidbNumbers.check(createTable, "outbox"))
                .isInstanceOf(UnsupportedServerException.class)
                .hasMessageContaining("AUTO_ID_CACHE 1");
    }
}
