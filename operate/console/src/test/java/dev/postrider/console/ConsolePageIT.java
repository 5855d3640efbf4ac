package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.OutboxMessage;
import dev.postrider.service.database.DatabaseSettings;
import dev.postrider.testservers.Chromium;
import dev.postrider.testservers.Database;
import dev.postrider.testservers.Servers;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * The page in a real browser, over a real database with a running relay. One browser and one outbox for all tests, in their order. With
 * {@code -Dconsole.database} the same over MySQL or H2; with {@code -Dconsole.screenshots} the pictures of the guide are written.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsolePageIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int BACKLOG = 100_000;
    private static final int PART = 1_000;
    private static final Path PICTURES = Path.of("../../docs/guides/console");

    @TempDir
    private static Path directory;

    private static Scene scene;
    private static ChromeDriver browser;

    @BeforeAll
    static void open() throws IOException {
        scene = new Scene(database(), directory);
        scene.write(order("rejected", "order-88"));
        scene.relayOnceBlocking();
        fill();
        scene.startRelay();
        Chromium chromium = Chromium.find();
        ChromeOptions options = new ChromeOptions()
                .addArguments(
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + directory.resolve("browser"));
        options.setBinary(chromium.browser().toFile());
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(chromium.driver().toFile())
                        .withEnvironment(chromium.environment())
                        .build(),
                options);
        browser.manage().window().setSize(new Dimension(1280, 860));
    }

    private static DatabaseSettings database() {
        String kind = System.getProperty("console.database", "postgres");
        if (kind.equals("h2")) {
            return DatabaseSettings.of("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        }
        Database made = (kind.equals("mysql") ? Servers.mysql() : Servers.postgres()).createDatabase("console");
        return DatabaseSettings.of(made.jdbcUrl(), made.user(), made.password());
    }

    private static OutboxMessage order(String topic, String key) {
        return OutboxMessage.builder(topic)
                .key(key)
                .type("shop.OrderPlaced")
                .header("ce_source", "/shop/berlin")
                .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                .json("{\"order\":\"" + key + "\",\"total\":129.90,\"lines\":[{\"sku\":\"A-17\",\"count\":2}]}")
                .build();
    }

    private static void fill() {
        for (int i = 1; i <= 60; i++) {
            scene.write(order("orders", "order-" + i));
        }
        for (int i = 1; i <= 12; i++) {
            scene.write(order("rejected.invoices", "order-" + i));
        }
        scene.write(
                order("orders", "order-17"),
                order("failing.billing", "order-17"),
                order("orders", "order-17"),
                order("failing.billing", "order-17"),
                OutboxMessage.builder("orders")
                        .key("order-17")
                        .type("shop.ReminderDue")
                        .deliverAfter(Duration.ofHours(3))
                        .build());
    }

    /** Markup in every field that a writer controls. */
    private static OutboxMessage marked(String topic) {
        return OutboxMessage.builder(topic + Markup.SCRIPT)
                .key("key" + Markup.SCRIPT)
                .type("type" + Markup.SCRIPT)
                .header("why", Markup.SCRIPT)
                .contentType("text/html")
                .payload(("<html>" + Markup.SCRIPT).getBytes(StandardCharsets.UTF_8))
                .build();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.quit();
        }
        scene.close();
    }

    private static void go(String hash, String expected) {
        browser.get(scene.address("#/orders/" + hash));
        waitFor(expected);
    }

    private static void waitFor(String text) {
        new WebDriverWait(browser, PATIENCE)
                .withMessage(() -> "'" + text + "' in: " + body())
                .until(ready -> body().contains(text));
    }

    private static String body() {
        return browser.findElement(By.tagName("body")).getText();
    }

    private static void click(String text) {
        String path =
                "//main//*[self::button or self::a][normalize-space()='%1$s'] | //dialog//button[normalize-space()='%1$s']"
                        .formatted(text);
        new WebDriverWait(browser, PATIENCE)
                .ignoring(StaleElementReferenceException.class)
                .until(ready -> {
                    List<WebElement> found = browser.findElements(By.xpath(path));
                    found.stream().skip(Math.max(0, found.size() - 1)).forEach(WebElement::click);
                    return !found.isEmpty();
                });
    }

    private static void picture(String name) throws IOException {
        if (System.getProperty("console.screenshots") != null) {
            Files.createDirectories(PICTURES);
            Files.write(PICTURES.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
        }
    }

    private static void prefer(String scheme) {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** In light and in dark. */
    private static void isAccessible() throws IOException {
        for (String scheme : List.of("dark", "light")) {
            prefer(scheme);
            browser.executeScript(axe());
            Object found = browser.executeAsyncScript(
                    "const done = arguments[0]; axe.run().then(r => done(r.violations.map(v => v.id + ': ' +"
                            + " v.nodes.map(n => n.html + ' ' + (n.any[0] || n.all[0] || {}).message).join(' | '))))");
            assertThat((List<?>) found)
                    .as(scheme + " " + browser.getCurrentUrl())
                    .isEmpty();
        }
    }

    private static String axe() throws IOException {
        try (InputStream script = ConsolePageIT.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    @Order(1)
    void asksForATokenAndShowsTheOutbox() throws IOException {
        browser.get(scene.address(""));
        waitFor("Token");
        isAccessible();
        browser.findElement(By.cssSelector("input[type=password]")).sendKeys("wrong-token-of-nobody");
        click("Enter");
        waitFor("This token is not known");
        WebElement field = browser.findElement(By.cssSelector("input[type=password]"));
        field.clear();
        field.sendKeys(Scene.OPERATOR);
        click("Enter");
        waitFor("Keys that are held back");
        waitFor("Live");
        waitFor("order-17");
        isAccessible();
        picture("overview");
        assertThat(body()).contains("Dead letters", "Relays", "ann");
    }

    @Test
    @Order(2)
    void everyPageIsAccessible() throws IOException {
        go("destinations", "Where messages of this outbox go");
        isAccessible();
        go("destinations/kafka-main", "At each relay");
        waitFor("up");
        assertThat(body()).contains("Relays deliver to it", "In flight");
        isAccessible();
        picture("destination");
        go("lanes", "unit of ownership");
        isAccessible();
        picture("lanes");
        go("messages?in=sent", "Next page");
        isAccessible();
        go("operations", "Nobody has changed anything");
        isAccessible();
    }

    @Test
    @Order(3)
    void showsMarkupOfWritersAsText() {
        scene.write(marked("orders"), marked("rejected"), marked("failing"));
        new WebDriverWait(browser, PATIENCE)
                .until(ready -> scene.store.stats().dead() == 13
                        && scene.store.stats().held() == scene.store.stats().undelivered());
        for (String page : List.of("messages?in=dead", "messages?in=held", "messages?in=sent", "dead", "overview")) {
            go(page, Markup.SCRIPT);
        }
        go("key/" + encode("key" + Markup.SCRIPT), "holds this key back");
        assertThat(body()).contains("key" + Markup.SCRIPT, "type" + Markup.SCRIPT);
        go("messages?in=dead&key=" + encode("key" + Markup.SCRIPT), Markup.SCRIPT);
        browser.findElement(By.cssSelector("main table a")).click();
        waitFor("Timeline");
        assertThat(body()).contains("<html>" + Markup.SCRIPT, "rejected" + Markup.SCRIPT);
        assertThat(browser.executeScript("return window.hacked")).isNull();
        assertThat(browser.findElements(By.cssSelector("main img, main script")))
                .isEmpty();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    @Order(4)
    void showsWhyAKeyStandsStill() throws IOException {
        go("key/order-17", "holds this key back");
        assertThat(body()).contains("tried again in", "waits for #", "enters the line in 2 h", "delivered");
        isAccessible();
        picture("key");
    }

    @Test
    @Order(5)
    void showsAMessageWithItsPayload() throws IOException {
        go("messages?in=dead&topic=rejected.invoices&key=order-7", "order-7");
        browser.findElement(By.cssSelector("main table a")).click();
        waitFor("Timeline");
        assertThat(body()).contains("/shop/berlin", "\"total\": 129.90", "Given up", "field 'total' is missing");
        isAccessible();
        picture("message");
        click("Hex");
        waitFor("7b 22 6f 72");
    }

    @Test
    @Order(6)
    void pausesAndResumesADestination() throws IOException {
        go("destinations", "open");
        click("Pause");
        waitFor("Pause kafka-main?");
        click("Leave it");
        assertThat(scene.store.pauses().paused()).isEmpty();
        click("Pause");
        waitFor("The relay of this outbox stop");
        browser.findElement(By.cssSelector("dialog button.danger")).click();
        waitFor("by ann");
        assertThat(scene.store.pauses().paused()).containsExactly("kafka-main");
        isAccessible();
        click("Resume");
        waitFor("The relay of this outbox will deliver");
        browser.findElement(By.cssSelector("dialog button.primary")).click();
        waitFor("open");
        assertThat(scene.store.pauses().paused()).isEmpty();
    }

    @Test
    @Order(7)
    void releasesABlockedKey() {
        go("key/order-88", "waits for you");
        click("Release");
        waitFor("blocked message is");
        browser.findElement(By.cssSelector("dialog button.primary")).click();
        new WebDriverWait(browser, PATIENCE)
                .until(closed -> browser.findElements(By.tagName("dialog")).isEmpty());
        go("operations", "unblock");
        assertThat(body()).contains("ann", "order-88");
    }

    @Test
    @Order(7)
    void retriesAndDiscardsTheMessageThatHoldsAKeyBack() throws IOException {
        go("key/order-17", "holds this key back");
        assertThat(body()).contains("It failed once");
        click("Retry now");
        waitFor("1 message is tried at once");
        isAccessible();
        click("Retry 1");
        // The relay has it in its hands, and it fails again.
        new WebDriverWait(browser, PATIENCE).until(again -> {
            browser.navigate().refresh();
            waitFor("holds this key back");
            return body().contains("It failed 2 times");
        });
        String head = browser.findElement(By.cssSelector("tr.head-of-line td")).getText();
        click("Discard it");
        waitFor("never delivered");
        click("Discard 1");
        new WebDriverWait(browser, PATIENCE).until(again -> {
            browser.navigate().refresh();
            waitFor("holds this key back");
            return !browser.findElement(By.cssSelector("tr.head-of-line td"))
                    .getText()
                    .equals(head);
        });
        go("operations", "discard held");
        assertThat(body()).contains("retry held", "ann");
    }

    @Test
    @Order(8)
    void discardsAGroupOfDeadLettersAndSaysWhoDidIt() throws IOException {
        go("dead", "rejected.invoices");
        isAccessible();
        WebElement row = browser.findElement(By.xpath("//tr[td[normalize-space()='rejected.invoices']]"));
        row.findElement(By.xpath(".//button[normalize-space()='Discard']")).click();
        waitFor("12 dead letters will be deleted for good");
        isAccessible();
        picture("confirm");
        click("Discard 12");
        waitFor("12 of 12");
        waitFor("done");
        go("operations", "discard");
        assertThat(body()).contains("ann", "topic=rejected.invoices", "12");
    }

    @Test
    @Order(9)
    void isReadableOnAPhone() throws IOException {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 800, "deviceScaleFactor", 1, "mobile", true));
        try {
            for (String page : List.of("overview", "messages?in=sent", "key/order-17", "dead")) {
                go(page, "");
                waitFor("Live");
                assertThat((Long) browser.executeScript("return document.documentElement.scrollWidth"))
                        .as(page)
                        .isLessThanOrEqualTo(390);
            }
            go("key/order-17", "holds this key back");
            prefer("dark");
            picture("phone");
        } finally {
            prefer("light");
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    @Test
    @Order(10)
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
        go("overview", "Undelivered");
        new WebDriverWait(browser, PATIENCE).until(counted -> body().matches("(?s).*\\d{2,3},\\d{3}.*"));
        go("messages?in=hot", "shop.ItemChanged");
        click("Next page");
        waitFor("item-");
        go("messages?in=hot&key=item-" + (BACKLOG - 1), "looked at");
        go("key/item-" + (BACKLOG - 1), "Everything of this key");
        go("lanes", "unit of ownership");
        isAccessible();
    }

    @Test
    @Order(11)
    void tenTabsShareOneStream() {
        String first = browser.getWindowHandle();
        go("overview", "Live");
        for (int i = 0; i < 9; i++) {
            browser.switchTo().newWindow(WindowType.TAB);
            signIn();
            go("overview", "Live");
        }
        new WebDriverWait(browser, PATIENCE)
                .withMessage(() -> scene.streams() + " streams")
                .until(shared -> scene.streams() == 1);
        browser.getWindowHandles().stream()
                .filter(tab -> !tab.equals(first))
                .forEach(tab -> browser.switchTo().window(tab).close());
        browser.switchTo().window(first);
        waitFor("Live");
    }

    private static void signIn() {
        browser.get(scene.address("#token=" + Scene.OPERATOR));
        waitFor("Keys that are held back");
        assertThat(browser.getCurrentUrl()).doesNotContain(Scene.OPERATOR);
    }

    @Test
    @Order(12)
    void saysWhenItHasLostTheConnection() {
        go("overview", "Live");
        int port = scene.port();
        scene.stopConsole();
        waitFor("Connection lost");
        scene.start(port);
        waitFor("Live");
    }
}
