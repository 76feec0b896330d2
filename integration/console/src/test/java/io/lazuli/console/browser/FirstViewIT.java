package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a browser with an empty cache asks for until the overview is there. */
class FirstViewIT {
  private static final int REQUESTS_MAX = 12;

  /** Scripts and styles of the first view may have 52 KiB; the rest is data and heads. */
  private static final int BYTES_MAX = 80 << 10;

  @Test
  void theOverviewNeedsTwelveRequestsOfOneHost() {
    PackedConsole server = PackedConsole.startEmpty();
    List<String> asked = new CopyOnWriteArrayList<>();
    try (Tab tab = Studio.get().tab(server)) {
      BrowserContext context = tab.page().context();
      tab.ok("POST", "/tables", "{\"name\":\"First\"}", "");
      // The sign-in has filled the cache of the context; another one with its session has none.
      try (Tab first = Studio.get().tab(server, context)) {
        first.page().onRequest(request -> asked.add(request.method() + " " + request.url()));
        first.open("");
        first.see("section.card b:text-is('First')").isVisible();
        first.see(".tiles .tile").hasCount(5);
        first.page().waitForFunction("() => !document.querySelector('[aria-busy=true]')");
        Number bytes =
            (Number)
                first
                    .page()
                    .evaluate(
                        """
                        () => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
                          .reduce((sum, e) => sum + e.transferSize, 0)
                        """);
        assertThat(bytes.intValue()).isBetween(10_000, BYTES_MAX);
        assertThat(asked).hasSizeBetween(10, REQUESTS_MAX);
        assertThat(asked)
            .allSatisfy(
                each ->
                    assertThat(URI.create(each.substring(each.indexOf(' ') + 1)).getAuthority())
                        .isEqualTo(URI.create(server.origin()).getAuthority()));
      }

      // A job that is under way is known from the stream, and the rail counts it.
      tab.ok("POST", "/jobs", "{\"kind\":\"delete\",\"table\":\"First\",\"ask\":true}", "");
      tab.see(".nav .badge").hasText("1 not over");
      tab.open("/tables");
      tab.see(".nav .badge").hasText("1 not over");
    } finally {
      server.kill();
    }
  }
}
