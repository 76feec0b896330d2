package io.lazuli.console.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** One browser and one server for all tests of the JVM. */
final class Studio {
  private static final List<String> NAMES =
      List.of("chromium", "google-chrome", "chromium-browser");

  /** Debian's Chromium must neither look for updates nor need a sandbox as root. */
  private static final List<String> FLAGS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private static final class Shared {
    static final Studio STUDIO = open(browser().orElseThrow());
  }

  private final Browser browser;
  private final PackedConsole console;
  private final String cookies;

  private Studio(Browser browser, PackedConsole console, String cookies) {
    this.browser = browser;
    this.console = console;
    this.cookies = cookies;
  }

  /** Returns the shared studio; without a browser the test is skipped, and says so loudly. */
  static Studio get() {
    if (browser().isEmpty()) {
      skip("NO CHROMIUM OR GOOGLE-CHROME ON THE PATH, AND LAZULI_BROWSER IS NOT SET");
    }
    return Shared.STUDIO;
  }

  private static void skip(String why) {
    System.err.println();
    System.err.println("BROWSER SUITE DID NOT RUN: " + why + ".");
    System.err.println("THE CONSOLE WAS NOT TESTED IN A BROWSER.");
    System.err.println();
    Assumptions.abort(why);
  }

  private static Optional<Path> browser() {
    String named = System.getenv("LAZULI_BROWSER");
    if (named != null && !named.isEmpty()) {
      return Optional.of(Path.of(named));
    }
    return NAMES.stream()
        .flatMap(
            name ->
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                    .map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Studio open(Path executable) {
    // Not a bound on speed: other modules of the build use the same two cores.
    PlaywrightAssertions.setDefaultAssertionTimeout(20_000);
    PackedConsole console = PackedConsole.start();
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(new BrowserType.LaunchOptions().setExecutablePath(executable).setArgs(FLAGS));
    Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
    try (Tab tab = new Tab(browser, console, new Browser.NewContextOptions())) {
      tab.page().navigate(console.firstLink());
      tab.page().waitForURL("**/" + PackedConsole.ACCOUNT);
      return new Studio(browser, console, tab.page().context().storageState());
    }
  }

  PackedConsole console() {
    return console;
  }

  /** Opens a tab of a new context without a session. */
  Tab strangerTab() {
    return new Tab(browser, console, new Browser.NewContextOptions());
  }

  /** Opens a tab at a server of the test's own, and signs in there. */
  Tab tab(PackedConsole own) {
    return tab(own, own.firstLink());
  }

  Tab tab(PackedConsole own, String link) {
    Tab tab = new Tab(browser, own, new Browser.NewContextOptions().setViewportSize(1440, 900));
    tab.page().navigate(link);
    tab.page().waitForURL("**/" + PackedConsole.ACCOUNT);
    return tab;
  }

  /** Opens a tab of a new context, with an empty cache and the session of another one. */
  Tab tab(PackedConsole own, BrowserContext like) {
    return new Tab(
        browser,
        own,
        new Browser.NewContextOptions()
            .setViewportSize(1440, 900)
            .setStorageState(like.storageState()));
  }

  /** Opens a tab of a new context in which somebody is signed in. */
  Tab tab() {
    return tab(new Browser.NewContextOptions().setViewportSize(1440, 900));
  }

  Tab tab(Browser.NewContextOptions options) {
    return new Tab(browser, console, options.setStorageState(cookies));
  }
}
