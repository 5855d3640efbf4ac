package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.support.ui.Select;

/**
 * Every page and every operation in a real browser, over a real database with a running relay. One browser and one outbox for all tests, in their order. With
 * {@code -Dconsole.database} the same over MySQL or H2.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsolePageIT {

    @TempDir
    private static Path directory;

    private static Scene scene;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void open() throws IOException {
        scene = new Scene(Shop.database(), directory);
        scene.write(
                Shop.order("rejected", "order-88"),
                Shop.order("failing.billing", "order-99"),
                Shop.order(Scene.ARCHIVED, "order-99"));
        scene.relayOnceBlocking();
        Shop.fill(scene);
        scene.startRelay();
        browser = new ConsoleBrowser(scene, directory);
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
        scene.close();
    }

    @Test
    @Order(1)
    void asksForATokenAndShowsTheOutbox() throws IOException {
        browser.driver.get(scene.address(""));
        browser.waitFor("Token");
        browser.isAccessible();
        browser.one("input[type=password]").sendKeys("wrong-token-of-nobody");
        browser.click("Enter");
        browser.waitFor("This token is not known");
        WebElement field = browser.one("input[type=password]");
        field.clear();
        field.sendKeys(Scene.OPERATOR);
        browser.click("Enter");
        browser.waitFor("Keys that are held back");
        browser.waitFor("Live");
        browser.waitFor("order-17");
        browser.isAccessible();
        assertThat(browser.body()).contains("Dead letters", "Relays", "ann");
        browser.waitFor("2 keys are blocked by a message that was given up");
        assertThat(browser.body()).contains("Fix: Fix the cause, then run 'postrider unblock'");
        browser.click("All that is held");
        browser.until(() -> browser.driver.getCurrentUrl().contains("messages?in=held"));
    }

    @Test
    @Order(2)
    void everyPageIsAccessible() throws IOException {
        browser.go("destinations", "Where messages of this outbox go");
        browser.isAccessible();
        browser.go("destinations/kafka-main", "At each relay");
        browser.waitFor("up");
        assertThat(browser.body()).contains("Relays deliver to it", "In flight");
        browser.isAccessible();
        browser.picture("destination");
        browser.go("lanes", "unit of ownership");
        browser.isAccessible();
        browser.picture("lanes");
        browser.until(
                () -> scene.store.stats().undelivered() == scene.store.stats().held());
        for (Map.Entry<String, String> list : Map.of(
                        "hot", "No message here",
                        "held", "waits behind its key",
                        "delayed", "due in",
                        "dead", "rejected.invoices",
                        "sent", "Next page")
                .entrySet()) {
            browser.go("messages?in=" + list.getKey(), list.getValue());
            browser.isAccessible();
        }
        browser.go("key/nobody", "Nothing of this key is here");
        browser.isAccessible();
        browser.go("operations", "Nobody has changed anything");
        browser.isAccessible();
    }

    @Test
    @Order(2)
    void listsSeveralOutboxes() throws IOException {
        try (ConsoleServer both = scene.openToThisMachine(scene.second("billing"))) {
            browser.driver.get("http://127.0.0.1:" + both.port() + "/console/");
            browser.waitFor("Everything that is committed");
            browser.waitFor("no relay");
            assertThat(browser.all("main h2")).extracting(WebElement::getText).containsExactly("billing", "orders");
            browser.isAccessible();
            browser.click("billing");
            browser.waitFor("No relay is running");
            new Select(browser.one("header select")).selectByVisibleText("orders");
            browser.waitFor("order-17");
            new Select(browser.one("header select")).selectByVisibleText("All outboxes");
            browser.waitFor("Everything that is committed");
        }
    }

    @Test
    @Order(10)
    void showsMarkupOfWritersAsText() {
        long dead = scene.store.stats().dead();
        scene.write(
                Shop.marked("orders").build(),
                Shop.marked("rejected").build(),
                Shop.marked("failing").build());
        scene.write(Shop.marked("orders").deliverAfter(Duration.ofHours(9)).build());
        browser.until(() -> scene.store.stats().dead() == dead + 1
                && scene.store.stats().held() == scene.store.stats().undelivered());
        for (String page : List.of(
                "messages?in=dead",
                "messages?in=held",
                "messages?in=sent",
                "messages?in=delayed",
                "dead",
                "overview")) {
            browser.go(page, Markup.SCRIPT);
        }
        browser.go("key/" + ConsoleBrowser.encode("key" + Markup.SCRIPT), "holds this key back");
        assertThat(browser.body()).contains("key" + Markup.SCRIPT, "type" + Markup.SCRIPT);
        browser.go("messages?in=dead&key=" + ConsoleBrowser.encode("key" + Markup.SCRIPT), Markup.SCRIPT);
        browser.one("main table a").click();
        browser.waitFor("Timeline");
        assertThat(browser.body()).contains("<html>" + Markup.SCRIPT, "rejected" + Markup.SCRIPT);
        assertThat(browser.driver.executeScript("return window.hacked")).isNull();
        assertThat(browser.all("main img, main script")).isEmpty();
    }

    /** Their relays, keys and messages are not known to the console. */
    @Test
    @Order(2)
    void claimsNothingOfTablesOfOthersThatItDoesNotKnow() throws IOException, SQLException {
        assumeThat(Shop.isOn("postgres")).isTrue();
        try (ConsoleServer both = scene.openToThisMachine(scene.existing())) {
            browser.driver.get("http://127.0.0.1:" + both.port() + "/console/");
            browser.waitFor("Everything that is committed");
            browser.waitFor("legacy");
            browser.isAccessible();
            browser.click("legacy");
            browser.waitFor("Problems");
            browser.waitFor("37");
            assertThat(browser.body()).doesNotContain("No relay", "no relay", "delivering", "Lanes");
            browser.isAccessible();
        }
    }

    @Test
    @Order(4)
    void showsWhyAKeyStandsStill() throws IOException {
        browser.go("key/order-17", "holds this key back");
        assertThat(browser.body()).contains("tried again in", "waits for #", "enters the line in 2 h", "delivered");
        browser.isAccessible();
        browser.picture("key");
    }

    @Test
    @Order(5)
    void showsAMessageWithItsPayload() throws IOException {
        browser.go("messages?in=dead&topic=rejected.invoices&key=order-7", "order-7");
        browser.one("main table a").click();
        browser.waitFor("Timeline");
        assertThat(browser.body())
                .contains("/shop/berlin", "\"total\": 129.90", "Given up", "field 'total' is missing");
        assertThat(browser.one("a[href^='https:']").getAttribute("href"))
                .isEqualTo("https://traces.example/0af7651916cd43dd8448eb211c80319c");
        browser.isAccessible();
        browser.picture("message");
        browser.click("Hex");
        browser.waitFor("7b 22 6f 72");
        browser.isAccessible();
    }

    @Test
    @Order(5)
    void showsProtobufAsJson() throws IOException {
        scene.write(Protobuf.paid("shop.Paid"));
        browser.until(
                () -> scene.store.stats().undelivered() == scene.store.stats().held());
        browser.go("messages?in=sent&key=paid", "shop.Paid");
        browser.one("main table a").click();
        browser.waitFor("\"cents\": \"300\"");
        assertThat(browser.all("[aria-pressed=true]"))
                .extracting(WebElement::getText)
                .containsExactly("Protobuf");
        browser.isAccessible();
    }

    @Test
    @Order(5)
    void everyKindOfMessageCanBeCopiedAsACommand() {
        browser.driver.executeCdpCommand(
                "Browser.grantPermissions",
                Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
        for (Map.Entry<String, String> kind : Map.of(
                        "sent", "postrider message '",
                        "held", "postrider message '",
                        "delayed", "postrider message '",
                        "dead", "postrider dead retry --id '")
                .entrySet()) {
            browser.go("messages?in=" + kind.getKey(), "order-");
            browser.one("main table a").click();
            browser.waitFor("Timeline");
            String id = browser.one("main .lead code").getText();
            browser.click("Copy as command");
            browser.waitFor("Copied");
            assertThat(clipboard()).isEqualTo(kind.getValue() + id + "' --outbox 'orders' --config postrider.yaml");
        }
        browser.click("Copy as curl");
        browser.until(() -> clipboard().startsWith("curl -H \"Authorization: Bearer $TOKEN\" 'http://127.0.0.1:"));
    }

    /** There a browser has no clipboard for the page. */
    @Test
    @Order(5)
    void overPlainHttpTheTextIsSelectedInstead() throws IOException {
        browser.driver.get(scene.addressAt(Scene.PLAIN_HOST, "#token=" + Scene.OPERATOR));
        browser.waitFor("Keys that are held back");
        browser.driver.get(scene.addressAt(Scene.PLAIN_HOST, "#/orders/messages?in=dead&key=order-7"));
        browser.waitFor("rejected.invoices");
        browser.one("main table a").click();
        browser.waitFor("Timeline");
        assertThat(browser.driver.executeScript("return isSecureContext")).isEqualTo(false);
        browser.click("Copy id");
        browser.one("input.wide");
        browser.isAccessible();
        assertThat(browser.driver.executeScript("const field = document.querySelector('input.wide');"
                        + " return field.value.slice(field.selectionStart, field.selectionEnd)"))
                .isEqualTo(browser.one("main .lead code").getText());
    }

    private static String clipboard() {
        return String.valueOf(browser.driver.executeAsyncScript(
                "const done = arguments[0]; navigator.clipboard.readText().then(done, e => done(String(e)))"));
    }

    @Test
    @Order(5)
    void filtersLiveInTheAddress() throws IOException {
        browser.go("messages?in=dead", "rejected.invoices");
        browser.one("input[name=topic]").sendKeys("rejected.invoices");
        browser.one("input[name=error]").sendKeys("FIELD 'TOTAL'");
        browser.one("input[name=destination]").sendKeys("kafka-main");
        browser.driver.executeScript("document.querySelector('input[name=before]').value = '2999-01-02T03:04:05'");
        // News that come meanwhile leave alone what was typed.
        long asked = scene.statistics();
        browser.until(() -> scene.statistics() >= asked + 2);
        browser.click("Find");
        browser.until(() -> browser.driver.getCurrentUrl().contains("before=2999-01-0"));
        assertThat(browser.driver.getCurrentUrl())
                .contains("in=dead", "topic=rejected.invoices", "error=FIELD", "destination=kafka-main");
        browser.until(() -> browser.all("tbody tr").size() == 12);
        browser.isAccessible();

        browser.driver.navigate().refresh();
        browser.waitFor("rejected.invoices");
        assertThat(browser.one("input[name=before]").getAttribute("value")).isEqualTo("2999-01-02T03:04:05");
        assertThat(browser.one("input[name=error]").getAttribute("value")).isEqualTo("FIELD 'TOTAL'");
        browser.go("messages?in=dead&before=2001-01-01T00:00:00Z", "None matches the filter");
        browser.go("messages?in=hot&before=nonsense", "is no time such as");
        browser.isAccessible();
    }

    @Test
    @Order(6)
    void pausesAndResumesADestination() throws IOException {
        browser.go("destinations", "open");
        browser.click("Pause");
        browser.waitFor("Pause kafka-main?");
        browser.click("Leave it");
        assertThat(scene.store.pauses().paused()).isEmpty();
        browser.click("Pause");
        browser.waitFor("1 relay of this outbox will stop");
        browser.one("dialog button.danger").click();
        browser.waitFor("by ann");
        assertThat(scene.store.pauses().paused()).containsExactly("kafka-main");
        browser.isAccessible();
        browser.click("Resume");
        browser.waitFor("1 relay of this outbox will deliver");
        browser.one("dialog button.primary").click();
        browser.until(() -> scene.store.pauses().paused().isEmpty());
        browser.until(() -> !browser.body().contains("by ann"));
    }

    @Test
    @Order(6)
    void everythingCanBeDoneByTheKeyboardAlone() {
        browser.go("destinations", "kafka-main");
        browser.press(Keys.TAB);
        assertThat(browser.focused()).isEqualTo("To the page");
        browser.press(Keys.ENTER);
        browser.tabTo("Pause");
        browser.tabTo("Pause");
        browser.press(Keys.ENTER);
        browser.waitFor("Pause kafka-main?");
        browser.press(Keys.ESCAPE);
        browser.until(() -> browser.all("dialog").isEmpty());
        assertThat(browser.focused()).isEqualTo("Pause");
        browser.press(Keys.ENTER);
        browser.waitFor("1 relay of this outbox will stop");
        browser.tabTo("Pause");
        browser.press(Keys.ENTER);
        browser.until(() -> scene.store.pauses().paused().contains("kafka-main"));
        browser.until(() -> browser.focused().equals("Resume"));
        browser.press(Keys.ENTER);
        browser.waitFor("1 relay of this outbox will deliver");
        browser.tabTo("Resume");
        browser.press(Keys.ENTER);
        browser.until(() -> scene.store.pauses().paused().isEmpty());
    }

    /** One is tried again at its time, and one at another destination waits for an operator: each notice is about its own message. */
    @Test
    @Order(6)
    void eachMessageThatHoldsAKeyBackHasButtonsOfItsOwn() throws IOException {
        browser.go("key/order-99", "holds this key back at kafka-main");
        WebElement notice = browser.one(".notice.bad");
        assertThat(notice.getText()).contains("blocks this key at archive and waits for you");
        String blocked = notice.getText().replaceAll("(?s).*Message (#\\d+) .*", "$1");
        browser.isAccessible();
        notice.findElement(By.xpath(".//button[normalize-space()='Discard it']"))
                .click();
        browser.waitFor("Discard message " + blocked + "?");
        browser.confirm();
        browser.until(() -> !browser.body().contains("waits for you"));
        assertThat(browser.body())
                .contains("holds this key back", "failing.billing")
                .doesNotContain(Scene.ARCHIVED);
    }

    @Test
    @Order(7)
    void releasesABlockedKey() {
        browser.go("key/order-88", "waits for you");
        browser.click("Release");
        browser.waitFor("1 blocked message will be tried");
        browser.confirm();
        browser.go("operations", "unblock");
        assertThat(browser.body()).contains("ann", "order-88");
    }

    @Test
    @Order(7)
    void retriesAndDiscardsTheMessageThatHoldsAKeyBack() throws IOException {
        browser.go("key/order-17", "holds this key back");
        assertThat(browser.body()).contains("It failed once");
        browser.click("Retry now");
        browser.waitFor("1 message is tried at once");
        browser.isAccessible();
        browser.click("Retry 1");
        // The relay has it in its hands, and it fails again.
        browser.until(() -> {
            browser.driver.navigate().refresh();
            browser.waitFor("holds this key back");
            return browser.body().contains("It failed 2 times");
        });
        browser.one("tr.head-of-line a").click();
        browser.waitFor("Timeline");
        assertThat(browser.body().split("Attempt failed\\s+billing answered 500", -1))
                .hasSize(3);
        browser.isAccessible();
        browser.picture("attempts");
        browser.click("Discard it");
        browser.waitFor("never delivered");
        browser.click("Leave it");
        browser.go("key/order-17", "holds this key back");
        String head = browser.one("tr.head-of-line td").getText();
        browser.click("Discard it");
        browser.waitFor("never delivered");
        browser.click("Discard 1");
        browser.until(() -> {
            browser.driver.navigate().refresh();
            browser.waitFor("holds this key back");
            return !browser.one("tr.head-of-line td").getText().equals(head);
        });
        browser.go("operations", "discard held");
        assertThat(browser.body()).contains("retry held", "ann");
        browser.isAccessible();
    }

    @Test
    @Order(8)
    void retriesOnesThatWereSelectedAPageOrAllThatMatch() throws IOException {
        for (int i = 0; i < 60; i++) {
            scene.write(Shop.order("rejected.mails", "mail-" + i));
        }
        mailsLeft(60);
        browser.go("messages?in=dead&topic=rejected.mails", "mail-");
        browser.all("tbody input[type=checkbox]").get(3).click();
        browser.all("tbody input[type=checkbox]").get(7).click();
        browser.isAccessible();
        browser.picture("selected");
        browser.click("Discard 2 selected");
        browser.waitFor("2 dead letters will be deleted for good");
        browser.confirm();
        mailsLeft(58);

        browser.go("messages?in=dead&topic=rejected.mails&error=total", "mail-");
        browser.one("thead input[type=checkbox]").click();
        browser.click("Discard 50 selected");
        browser.waitFor("50 dead letters will be deleted for good");
        browser.one("dialog input[type=number]").sendKeys("10000");
        browser.confirm();
        mailsLeft(8);

        browser.go("messages?in=dead&topic=rejected.mails&error=total", "mail-");
        browser.click("Discard all that match");
        browser.waitFor("8 dead letters will be deleted for good");
        browser.confirm();
        mailsLeft(0);
        browser.go("operations", "error=total");
        assertThat(browser.body()).contains("topic=rejected.mails, error=total", "id=");
    }

    private static void mailsLeft(long expected) {
        browser.until(() -> scene.dead("rejected.mails") == expected);
    }

    @Test
    @Order(8)
    void retriesOneAndAGroupWhenTheCauseIsFixed() {
        String topic = Scene.REJECTED_ONCE;
        scene.write(Shop.order(topic, "once-1"), Shop.order(topic, "once-2"), Shop.order(topic, "once-3"));
        browser.until(() -> scene.dead(topic) == 3);
        browser.go("messages?in=dead&key=once-1", "once-1");
        browser.one("main table a").click();
        browser.waitFor("Timeline");
        browser.click("Retry");
        browser.waitFor("1 dead letter will be delivered again");
        browser.confirm();
        browser.until(() -> scene.dead(topic) == 2);

        browser.go("dead", topic);
        rowOf(topic)
                .findElement(By.xpath(".//button[normalize-space()='Retry']"))
                .click();
        browser.waitFor("2 dead letters will be delivered again");
        browser.confirm();
        browser.until(() -> scene.dead(topic) == 0);
        browser.go("messages?in=sent&topic=" + topic, "once-3");
        assertThat(browser.all("tbody tr")).hasSize(3);
        browser.go("operations", "topic=" + topic);
        assertThat(browser.body()).contains("retry");
    }

    /** In a table of the page. */
    private static WebElement rowOf(String topic) {
        return browser.driver.findElement(By.xpath("//tr[td[normalize-space()='" + topic + "']]"));
    }

    @Test
    @Order(8)
    void aJobTellsItsProgressAndCanBeCancelled() throws IOException {
        browser.go("dead", "rejected.invoices");
        rowOf("rejected.invoices")
                .findElement(By.xpath(".//button[normalize-space()='Discard']"))
                .click();
        browser.waitFor("12 dead letters will be deleted for good");
        browser.one("dialog input[type=number]").sendKeys("1");
        browser.confirm();
        browser.waitFor("at most 1 a second");
        browser.isAccessible();
        browser.click("Cancel");
        browser.waitFor("will be left as");
        browser.confirm();
        browser.waitFor("cancelled");
        browser.go("operations", "cancel");
        for (long left = scene.invoices(); left < 12; left++) {
            scene.write(Shop.order("rejected.invoices", "again-" + left));
        }
        browser.until(() -> scene.invoices() == 12);
    }

    @Test
    @Order(9)
    void discardsAGroupOfDeadLettersAndSaysWhoDidIt() throws IOException {
        browser.go("dead", "rejected.invoices");
        browser.isAccessible();
        browser.picture("dead");
        rowOf("rejected.invoices")
                .findElement(By.xpath(".//button[normalize-space()='Discard']"))
                .click();
        browser.waitFor("12 dead letters will be deleted for good");
        browser.isAccessible();
        browser.picture("confirm");
        browser.click("Discard 12");
        browser.waitFor("12 of 12");
        browser.waitFor("done");
        browser.go("operations", "discard");
        assertThat(browser.body()).contains("ann", "topic=rejected.invoices", "12");
        browser.picture("operations");
    }

    /** For the picture, minutes of them. */
    @Test
    @Order(9)
    void showsHowManyMessagesCameAndWent() throws IOException, InterruptedException {
        browser.go("overview", "Keys that are held back");
        int[] written = {0};
        for (int second = 0; ConsoleBrowser.takesPictures() && second < 150; second++) {
            for (int i = 0; i < 40 + 30 * Math.sin(second / 12.0); i++) {
                scene.write(Shop.order("orders", "basket-" + written[0]++ % 60));
            }
            Thread.sleep(1_000);
        }
        browser.until(() -> {
            scene.write(Shop.order("orders", "basket-" + written[0]++ % 60));
            return figure("Enqueued / s") > 0 && figure("Delivered / s") > 0 && hasChart();
        });
        browser.isAccessible();
        browser.picture("overview");
    }

    private static double figure(String name) {
        return browser.driver.findElements(By.xpath("//dt[.='" + name + "']/following-sibling::dd")).stream()
                .mapToDouble(figure -> Double.parseDouble(figure.getText().replace(",", "")))
                .sum();
    }

    private static boolean hasChart() {
        return browser.all(".chart polyline").size() == 2;
    }

    @Test
    @Order(9)
    void isReadableOnAPhone() throws IOException {
        browser.driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 800, "deviceScaleFactor", 1, "mobile", true));
        try {
            for (String page : List.of("overview", "messages?in=sent", "key/order-17", "dead")) {
                browser.go(page, "");
                browser.waitFor("Live");
                assertThat((Long) browser.driver.executeScript("return document.documentElement.scrollWidth"))
                        .as(page)
                        .isLessThanOrEqualTo(390);
                browser.isAccessible();
            }
            browser.go("key/order-17", "holds this key back");
            browser.prefer("dark");
            browser.picture("phone");
        } finally {
            browser.prefer("light");
            browser.driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }
}
