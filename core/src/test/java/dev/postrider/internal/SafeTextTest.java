package dev.postrider.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {

    /** Where a password may stand in an address as it is. */
    private static final List<String> ADDRESSES = List.of(
            "nats://ann:PASSWORD@h:4222",
            "amqps://ann:PASSWORD@h/vhost",
            "jdbc:mysql://ann:PASSWORD@h:3306/app",
            "nats://PASSWORD@h");

    /** Where some characters must be written in another way, as every driver demands it. */
    private static final List<String> PARAMETERS = List.of(
            "jdbc:postgresql://h/app?user=ann&password=PASSWORD",
            "jdbc:postgresql://h/app?password=PASSWORD&ssl=true",
            "jdbc:h2:./db;USER=ann;PASSWORD=PASSWORD;MODE=x",
            "jdbc:x://h?trustStorePassword=PASSWORD");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://db/app?user=a&password=x!y&ssl=true | jdbc:postgresql://db/app?user=a&password=***&ssl=true",
                "jdbc:h2:./db;PASSWORD=secret;MODE=x | jdbc:h2:./db;PASSWORD=***;MODE=x",
                "jdbc:mysql://ann:pw@db:3306/app | jdbc:mysql://***@db:3306/app",
                "jdbc:mysql://ann:p@s/s,w'rd@db:3306/app | jdbc:mysql://***@db:3306/app",
                "jdbc:h2:mem:x;PASSWORD=a,b'c;USER=d | jdbc:h2:mem:x;PASSWORD=***;USER=d",
                "No suitable driver for jdbc:x?trustStorePassword=abc here | No suitable driver for jdbc:x?trustStorePassword=*** here",
                "PlainLoginModule required username=\"a\" password=\"b c;d\"; | PlainLoginModule required username=\"a\" password=***;",
                "nothing to hide: 5 rows | nothing to hide: 5 rows",
                "at jdbc:x?password=***: refused | at jdbc:x?password=***: refused",
            })
    void hidesWhatAddressesCarry(String text, String safe) {
        assertThat(SafeText.of(text)).isEqualTo(safe);
    }

    @Provide
    Arbitrary<String> passwords() {
        return Arbitraries.strings()
                .withChars(" ^%@:/?#[]'\"\\$.*+(){}|<>~`!,=\tabcXYZ019äß€\u2029")
                .ofMinLength(1)
                .ofMaxLength(24);
    }

    @Property
    void showsAnAddressWithoutItsPasswordWhateverThatIs(@ForAll("passwords") String password) {
        for (String address : ADDRESSES) {
            assertThat(SafeText.address(address.replace("PASSWORD", password)))
                    .isEqualTo(SafeText.address(address.replace("PASSWORD", "x")))
                    .contains("***");
        }
        for (String address : PARAMETERS) {
            String hidden = SafeText.address(address.replace("=PASSWORD", "=" + withoutSlashes(password)));
            assertThat(hidden)
                    .isEqualTo(SafeText.address(address.replace("=PASSWORD", "=x")))
                    .contains("***");
        }
    }

    /** In parameters, what could be taken for an account or for the mark of a semicolon is percent-encoded. */
    private static String withoutSlashes(String password) {
        return password.replace("@", "%40").replace("\\", "%5C");
    }

    @Property
    void findsAnAddressThatItRemembersInAnyText(@ForAll("passwords") String password) {
        String address = "nats://ann:s3cr3t" + password + "@h:4222";
        SafeText.rememberAddress(address);

        assertThat(SafeText.of("Illegal character at index 7: " + address + " (refused)"))
                .isEqualTo("Illegal character at index 7: nats://***@h:4222 (refused)");
        assertThat(SafeText.of("Unknown login ann:s3cr3t" + password + "@h")).doesNotContain("s3cr3t");
    }

    @Property
    void findsASecretThatItRemembersInAnyText(@ForAll("passwords") String password) {
        String secret = "s3cr3t" + password;
        String encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        SafeText.remember(secret);
        SafeText.remember(encoded);

        assertThat(SafeText.of("password was \"" + secret + "\"!")).doesNotContain("s3cr3t");
        assertThat(SafeText.of("password was \"" + encoded + "\"!")).doesNotContain("s3cr3t");
    }

    @Test
    void leavesWordsAloneThatOnlyContainASecret() {
        SafeText.remember("gooseberry");

        assertThat(SafeText.of("gooseberry, gooseberryjam and gooseberry9"))
                .isEqualTo("***, gooseberryjam and gooseberry9");
    }

    @Test
    void remembersNoUserNameThatIsAlsoThePassword() {
        SafeText.rememberAddress("amqp://elderflower:elderflower@h");

        assertThat(SafeText.of("user elderflower")).isEqualTo("user elderflower");
        assertThat(SafeText.of("at elderflower:elderflower@h")).isEqualTo("at ***@h");
    }

    @Test
    void hidesWhatPropertiesOfClientsHold() {
        SafeText.rememberProperty("ssl.key.password", "k3y^ pw");
        SafeText.rememberProperty("sasl.jaas.config", "Module required username=\"a\" password=\"l0gin; pw\";");

        assertThat(SafeText.of("with k3y^ pw and l0gin; pw.")).isEqualTo("with *** and ***.");
    }

    /** Clients take such characters for the end of the password when they are not encoded, and quote what is left. */
    @ParameterizedTest
    @ValueSource(strings = {" ", "/", "?", "#", ",", ";", "&", ":", "@", ")", "'", "\"", "="})
    void hidesThePiecesOfAPasswordThatAClientTearsApart(String separator) {
        String password = "t0rnapart" + separator + "rema1nder";
        for (String address : List.of(
                "nats://ann:PASSWORD@h:4222,nats://bob:PASSWORD@h:4223",
                "nats://PASSWORD@h",
                "jdbc:mysql://ann:PASSWORD@h:3306/app",
                "jdbc:mysql://(host=h,password=PASSWORD,user=ann)/elsewhere",
                "jdbc:mariadb://address=(host=h)(password=PASSWORD)(user=ann)/elsewhere",
                "jdbc:postgresql://h/app?user=ann&password=PASSWORD",
                "jdbc:h2:./db;USER=ann;PASSWORD=PASSWORD")) {
            String whole = address.replace("=PASSWORD", "=" + password)
                    .replace(":PASSWORD", ":" + password)
                    .replace("//PASSWORD", "//" + password);
            SafeText.rememberAddress(whole);
            assertThat(SafeText.address(whole)).as(address).doesNotContain("t0rnapart", "rema1nder");
        }
        SafeText.rememberProperty(
                "sasl.jaas.config", "Module required password=" + password + " username=\"ann\" scope=elsewhere;");

        assertThat(SafeText.of("no host 't0rnapart', no key 'rema1nder', but user elsewhere"))
                .isEqualTo("no host '***', no key '***', but user elsewhere");
    }
}
