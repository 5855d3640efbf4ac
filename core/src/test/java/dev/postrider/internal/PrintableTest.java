package dev.postrider.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.InvalidMessageException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void keepsOrdinaryTextAndEscapesTheRest() {
        assertThat(Printable.of("Größe 5 €, 漢字 😀")).isEqualTo("Größe 5 €, 漢字 😀");
        assertThat(Printable.of("a\nb\r\tc" + (char) 27 + "[31m" + (char) 0x2028 + (char) 0x202E))
                .isEqualTo("a\\nb\\r\\tc\\u001B[31m\\u2028\\u202E");
    }

    @Property
    void isOneLineWithoutControlCharacters(@ForAll String text) {
        assertThat(Printable.of(text).lines().count()).isLessThanOrEqualTo(1);
        assertThat(Printable.of(text).chars()).noneMatch(Character::isISOControl);
    }

    /** Of headers and attributes that others wrote. */
    @Test
    void holdsForTheTextOfEveryRefusal() {
        assertThat(new InvalidMessageException("a\nb", "is 'c" + (char) 27 + "[2J'").getMessage())
                .isEqualTo("Invalid message: a\\nb is 'c\\u001B[2J'");
    }

    @Test
    void makesOneWordForAShell() {
        assertThat(ShellWord.of("orders.placed")).isEqualTo("orders.placed");
        assertThat(ShellWord.of("';id;'")).isEqualTo("''\\'';id;'\\'''");
        assertThat(ShellWord.of("$(id) `id`\nid")).isEqualTo("'$(id) `id`\\nid'");
        assertThat(ShellWord.of("")).isEqualTo("''");
    }
}
