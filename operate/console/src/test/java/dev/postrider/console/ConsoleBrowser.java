package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testservers.Chromium;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A real Chromium that looks at a console. With {@code -Dconsole.screenshots} it writes the pictures of the guide. For one thread; close it. */
final class ConsoleBrowser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Dimension SIZE = new Dimension(1280, 860);
    private static final Path PICTURES = Path.of("../../docs/guides/console");

    private final Scene scene;
    final ChromeDriver driver;

    ConsoleBrowser(Scene scene, Path directory) {
        this.scene = scene;
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
                        "--host-resolver-rules=MAP " + Scene.PLAIN_HOST + " 127.0.0.1",
                        "--user-data-dir=" + directory.resolve("browser"));
        options.setBinary(chromium.browser().toFile());
        this.driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(chromium.driver().toFile())
                        .withEnvironment(chromium.environment())
                        .build(),
                options);
        show();
    }

    /** In an address. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    void signIn(String token) {
        driver.get(scene.address("#token=" + token));
        waitFor("Keys that are held back");
        assertThat(driver.getCurrentUrl()).doesNotContain(token);
    }

    void go(String hash, String expected) {
        if (body().contains(expected)) {
            // The page before would pass for the one that is asked for.
            driver.get("about:blank");
        }
        driver.get(scene.address("#/orders/" + hash));
        waitFor(expected);
    }

    /** From now on each page tells when it was open. */
    void watchOpening() {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", """
            new MutationObserver(() => {
              if (document.querySelector('.tabs') && !document.querySelector('[aria-busy]')) {
                window.openAfter = window.openAfter || performance.now();
              }
            }).observe(document, { subtree: true, childList: true, attributes: true });
            """));
    }

    /** From the request for the page to the moment from which nothing of it is waited for. */
    double millisToOpen(String hash) {
        driver.get("about:blank");
        driver.get(scene.address("#/orders/" + hash));
        return ((Number) driver.executeAsyncScript("""
            const done = arguments[0];
            (function look() {
              if (window.openAfter) done(window.openAfter); else setTimeout(look, 5);
            })();
            """)).doubleValue();
    }

    void waitFor(String text) {
        new WebDriverWait(driver, PATIENCE)
                .withMessage(() -> "'" + text + "' in: " + body())
                .ignoring(StaleElementReferenceException.class)
                .until(ready -> body().contains(text));
    }

    void until(BooleanSupplier condition) {
        new WebDriverWait(driver, PATIENCE)
                .ignoring(StaleElementReferenceException.class)
                .until(again -> condition.getAsBoolean());
    }

    String body() {
        return driver.findElement(By.tagName("body")).getText();
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    WebElement one(String css) {
        return new WebDriverWait(driver, PATIENCE)
                .withMessage(() -> css + " in: " + body())
                .until(ready -> ready.findElement(By.cssSelector(css)));
    }

    /** The last button or link with this text. */
    void click(String text) {
        String path =
                "//main//*[self::button or self::a][normalize-space()='%1$s'] | //dialog//button[normalize-space()='%1$s']"
                        .formatted(text);
        until(() -> {
            List<WebElement> found = driver.findElements(By.xpath(path));
            found.stream().skip(Math.max(0, found.size() - 1)).forEach(WebElement::click);
            return !found.isEmpty();
        });
    }

    void press(Keys key) {
        new Actions(driver).sendKeys(key).perform();
    }

    /** Presses Tab until something with this text has the focus. */
    void tabTo(String text) {
        for (int presses = 0; presses < 50; presses++) {
            press(Keys.TAB);
            if (focused().equals(text)) {
                return;
            }
        }
        throw new AssertionError("Tab does not lead to '" + text + "' in: " + body());
    }

    /** The text of what has the focus. */
    String focused() {
        return driver.switchTo().activeElement().getText();
    }

    /** Presses the button that changes something, and waits until that is done. */
    void confirm() {
        until(() -> one("dialog button:last-child").isEnabled());
        one("dialog button:last-child").click();
        until(() -> all("dialog").isEmpty());
    }

    /** Behind another window. */
    void hide() {
        driver.manage().window().minimize();
    }

    void show() {
        driver.manage().window().setSize(SIZE);
    }

    static boolean takesPictures() {
        return System.getProperty("console.screenshots") != null;
    }

    void picture(String name) throws IOException {
        if (takesPictures()) {
            Files.createDirectories(PICTURES);
            Files.write(PICTURES.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        }
    }

    void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** axe finds nothing, in light and in dark. */
    void isAccessible() throws IOException {
        for (String scheme : List.of("dark", "light")) {
            prefer(scheme);
            driver.executeScript(axe());
            Object found = driver.executeAsyncScript(
                    "const done = arguments[0]; axe.run().then(r => done(r.violations.map(v => v.id + ': ' +"
                            + " v.nodes.map(n => n.html + ' ' + (n.any[0] || n.all[0] || {}).message).join(' | '))))");
            assertThat((List<?>) found)
                    .as(scheme + " " + driver.getCurrentUrl())
                    .isEmpty();
        }
    }

    private static String axe() throws IOException {
        try (InputStream script = ConsoleBrowser.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
