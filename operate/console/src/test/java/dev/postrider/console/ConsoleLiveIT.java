package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.OutboxMessage;
import dev.postrider.service.LimitedHttpServer;
import dev.postrider.service.operation.DeadJobs;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
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
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WindowType;

/**
 * Roles, forged requests, a large backlog, many tabs and a lost connection in a real browser, over a real database with a running relay. One
 * browser and one outbox for all tests, in their order. With {@code -Dconsole.database} the same over MySQL or H2.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleLiveIT {

    private static final int BACKLOG = 100_000;
    private static final int PART = 1_000;

    @TempDir
    private static Path directory;

    private static Scene scene;
    private static ConsoleBrowser browser;

    @BeforeAll
    static void open() throws IOException {
        scene = new Scene(Shop.database(), directory);
        scene.write(Shop.order("rejected", "order-88"));
        scene.relayOnceBlocking();
        Shop.fill(scene);
        scene.startRelay();
        browser = new ConsoleBrowser(scene, directory);
        browser.until(() -> scene.invoices() == 12);
        browser.signIn(Scene.OPERATOR);
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
    void eachRoleSeesItsPart() throws IOException {
        browser.signIn(Scene.VIEWER);
        browser.go("messages?in=sent&key=order-3", "order-3");
        browser.one("main table a").click();
        browser.waitFor("Your role sees no payloads");
        assertThat(browser.body()).doesNotContain("/shop/berlin", "129.90");
        browser.isAccessible();
        for (String token : List.of(Scene.VIEWER, Scene.READER)) {
            browser.signIn(token);
            for (String page : List.of("destinations", "key/order-17", "dead", "messages?in=dead")) {
                browser.go(page, "Live");
                browser.until(() -> browser.all("main table, main .empty").size() > 0);
                assertThat(browser.all("main table button, main .notice button, main input[type=checkbox]"))
                        .as(token + " " + page)
                        .isEmpty();
            }
        }
        browser.go("messages?in=sent&key=order-3", "order-3");
        browser.one("main table a").click();
        browser.waitFor("129.90");
        browser.signIn(Scene.OPERATOR);
    }

    /** A page of somebody else, which knows the console's address and runs in the operator's browser on the operator's machine. */
    @Test
    @Order(2)
    void aForgedRequestOfAnotherSiteChangesNothing() throws IOException {
        try (ConsoleServer open = scene.openToThisMachine();
                ForeignSite evil = ForeignSite.against("http://127.0.0.1:" + open.port()
                        + "/console/api/outboxes/orders/destinations/kafka-main/pause")) {
            browser.driver.get(evil.address());
            browser.until(() -> "all sent".equals(browser.driver.getTitle()));
            assertThat(scene.store.pauses().paused()).isEmpty();

            browser.driver.get("http://127.0.0.1:" + open.port() + "/console/");
            Object own = browser.driver.executeAsyncScript(ForeignSite.OWN_REQUEST);
            assertThat(own).isEqualTo(200L);
            assertThat(scene.store.pauses().paused()).containsExactly("kafka-main");
            scene.store.pauses().resume("kafka-main", "test");
        }
    }

    @Test
    @Order(3)
    void showsAClosedDestinationAndWhy() throws IOException {
        scene.write(Shop.marked("down").key("down" + Markup.SCRIPT).build());
        browser.go("destinations/kafka-main", "no route to the broker " + Markup.SCRIPT);
        assertThat(browser.driver.executeScript("return window.hacked")).isNull();
        browser.isAccessible();
    }

    @Test
    @Order(4)
    void aLargeBacklogIsShownAsQuicklyAsASmallOne() throws IOException {
        scene.store.pauses().pause("kafka-main", "test");
        for (int part = 0; part < BACKLOG / PART; part++) {
            OutboxMessage[] messages = new OutboxMessage[PART];
            for (int i = 0; i < PART; i++) {
                messages[i] = OutboxMessage.builder("backlog")
                        .key("item-" + (part * PART + i))
                        .type("shop.ItemChanged")
                        .build();
            }
            scene.write(messages);
        }
        browser.go("overview", "Undelivered");
        browser.until(() -> browser.body().matches("(?s).*\\d{2,3},\\d{3}.*"));
        browser.go("messages?in=hot", "shop.ItemChanged");
        browser.click("Next page");
        browser.waitFor("item-");
        browser.go("messages?in=hot&key=item-" + (BACKLOG - 1), "looked at");
        browser.go("key/item-" + (BACKLOG - 1), "Nothing of this key was found so far");
        browser.isAccessible();
        browser.click("Look further");
        browser.waitFor("goes as soon as a relay fetches it");
        browser.go("lanes", "unit of ownership");
        browser.isAccessible();
    }

    @Test
    @Order(5)
    void tenTabsShareOneStreamAndOneQuery() throws InterruptedException {
        String first = browser.driver.getWindowHandle();
        browser.go("overview", "Live");
        for (int i = 0; i < 9; i++) {
            browser.driver.switchTo().newWindow(WindowType.TAB);
            browser.signIn(Scene.OPERATOR);
            browser.go("overview", "Live");
        }
        browser.until(() -> scene.streams() == 1);
        long begin = System.nanoTime();
        long asked = scene.statistics();
        browser.until(() -> scene.statistics() >= asked + 3);
        long intervals = (System.nanoTime() - begin) / WatchedOutbox.INTERVAL.toNanos();
        assertThat(scene.statistics() - asked).isLessThanOrEqualTo(intervals + 1);
        browser.driver.getWindowHandles().stream()
                .filter(tab -> !tab.equals(first))
                .forEach(tab -> browser.driver.switchTo().window(tab).close());
        browser.driver.switchTo().window(first);
        browser.waitFor("Live");
    }

    /** Servers end each stream after some seconds, before they would cut it. */
    @Test
    @Order(5)
    void saysNothingWhenAStreamEndsAndTheNextOneBegins() {
        browser.go("overview", "Live");
        browser.driver.executeScript("window.lost = 0; new MutationObserver(() => {"
                + " if (document.body.innerText.includes('Connection lost')) window.lost++;"
                + " }).observe(document.body, { subtree: true, childList: true, characterData: true })");
        long asked = scene.statistics();
        long intervals = LimitedHttpServer.longestAnswer().orElseThrow().dividedBy(WatchedOutbox.INTERVAL) + 2;
        browser.until(() -> scene.statistics() >= asked + intervals);
        assertThat(browser.driver.executeScript("return window.lost")).isEqualTo(0L);
    }

    /** Nothing is asked for, neither by a stream nor otherwise, until somebody looks again. */
    @Test
    @Order(6)
    void stopsWhileTheTabIsHidden() {
        browser.go("overview", "Live");
        browser.until(() -> scene.streams() == 1);
        browser.hide();
        browser.until(() -> scene.streams() == 0);
        long asked = scene.statistics();
        // Each answer counts for an interval, so that some pass meanwhile.
        browser.until(() -> scene.readOverview() >= asked + 3);
        assertThat(scene.streams()).isZero();
        assertThat(browser.body()).doesNotContain("Connection lost");
        browser.show();
        browser.until(() -> scene.streams() == 1);
        browser.waitFor("Live");
    }

    /** A stream for each tab would soon take all connections that a browser opens to a host. */
    @Test
    @Order(6)
    void asksAgainAndAgainWhereTabsCannotShareAStream() {
        browser.driver.get("about:blank");
        Object script = browser.driver
                .executeCdpCommand(
                        "Page.addScriptToEvaluateOnNewDocument", Map.of("source", "delete window.SharedWorker"))
                .get("identifier");
        browser.go("overview", "Live");
        browser.until(() -> scene.streams() == 0);
        long asked = scene.statistics();
        browser.until(() -> scene.statistics() >= asked + 3);
        assertThat(scene.streams()).isZero();
        assertThat(browser.body()).contains("Live");
        browser.driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
        browser.driver.get("about:blank");
        browser.go("overview", "Live");
        browser.until(() -> scene.streams() == 1);
    }

    @Test
    @Order(7)
    void saysWhenItHasLostTheConnection() throws IOException {
        browser.go("overview", "Live");
        int port = scene.port();
        scene.stopConsole();
        browser.waitFor("Connection lost");
        browser.waitFor("What you see is from before");
        browser.isAccessible();
        scene.start(port);
        browser.waitFor("Live");
    }

    /** Each has its own reader; a window that has crashed has none any more. */
    @Test
    @Order(8)
    void windowsWithDifferentTokensAreBothToldHowTheOutboxesStand() {
        String first = browser.driver.getWindowHandle();
        browser.go("overview", "Live");
        browser.driver.switchTo().newWindow(WindowType.WINDOW);
        browser.signIn(Scene.VIEWER);
        browser.waitFor("eve");
        browser.until(() -> scene.streams() == 2);
        assertThatThrownBy(() -> browser.driver.executeCdpCommand("Page.crash", Map.of()))
                .isInstanceOf(WebDriverException.class);
        browser.driver.switchTo().window(first);
        browser.until(() -> scene.streams() == 1);
        browser.waitFor("Live");
    }

    @Test
    @Order(9)
    void saysWhenMoreMatchThanGoAtOnce() throws SQLException {
        scene.multiplyDeadLetters(DeadJobs.LARGEST);
        browser.go("dead", "Discard all");
        browser.click("Discard all");
        browser.waitFor("100,000 dead letters will be deleted for good");
        assertThat(browser.body()).contains("No more go at once");
        browser.click("Leave it");
    }

    /** Every start of 'postrider console' makes another token. */
    @Test
    @Order(10)
    void asksWhoYouAreWhenYourTokenIsNotKnownAnyMore() throws IOException {
        browser.go("overview", "Live");
        int port = scene.port();
        scene.stopConsole();
        scene.operatorHas("another-token-of-ann");
        scene.start(port);
        browser.waitFor("This token is not known");
        browser.isAccessible();
        browser.one("input[type=password]").sendKeys("another-token-of-ann");
        browser.click("Enter");
        browser.waitFor("Live");
        browser.waitFor("Keys that are held back");
    }
}
