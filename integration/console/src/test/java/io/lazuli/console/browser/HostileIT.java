package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ForcedColors;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Data that wants to become markup, to turn texts around, to hide, or to burst the page, in every
 * field that the console shows. Then people's own settings: zoom, forced colours, less motion.
 */
class HostileIT {
  /** Markup, a right-to-left override, a character of no width, and an isolate that never ends. */
  private static final String EVIL =
      "<img src=x onerror=window.ran=1>\u202Etxt.exe\u200B\u2066'\"&amp;";

  /** What an entity may have at most: 64 KiB in a text, 252 properties. */
  private static final int LONG = 32 * 1024;

  private static final int PROPERTIES = 252;
  private static final String FOLDER = "<b>x<%2Fb>";

  private static final String CHECK =
      """
      () => {
        const hidden = /[\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]/;
        const wrong = [];
        if (window.ran || document.querySelector('[src="x"]')) wrong.push('markup of the data is in the page');
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        // The copy under the editor must be as long as the text in it.
        while (texts.nextNode()) if (hidden.test(texts.currentNode.data) && !texts.currentNode.parentElement.closest('lz-filter pre, textarea')) wrong.push('text: ' + JSON.stringify(texts.currentNode.data.slice(0, 60)));
        for (const e of document.querySelectorAll('*')) for (const a of ['title', 'aria-label', 'alt', 'placeholder']) if (hidden.test(e.getAttribute(a) || '')) wrong.push(a + ' of ' + e.localName);
        if (hidden.test(document.title)) wrong.push('title of the page');
        for (const e of [document.documentElement, document.getElementById('main')]) if (e.scrollWidth > innerWidth + 1) wrong.push('the page is ' + e.scrollWidth + ' pixels wide');
        return wrong;
      }
      """;

  private static Studio studio;

  @BeforeAll
  static void seed() throws IOException, InterruptedException {
    studio = Studio.get();
    try (Tab tab = studio.tab()) {
      tab.open("");
      tab.ok("POST", "/tables", "{\"name\":\"Hostile\"}", "");
      String wide =
          IntStream.range(0, PROPERTIES - 3)
              .mapToObj(i -> "\"P%03d\":%d".formatted(i, i))
              .collect(Collectors.joining(",", "", ","));
      String values =
          "\"__proto__\":%s,\"مرح\":%s,\"Long\":%s"
              .formatted(json("x"), json(EVIL), json("W".repeat(LONG)));
      entity(tab, EVIL, "r\u202E1", wide + values);
      entity(tab, "javascript:alert(1)", "__proto__", "\"A\":" + json(EVIL));
      entity(tab, "k".repeat(512), "l".repeat(512), "\"A\":\"\"");
      tab.ok("POST", "/queues", "{\"name\":\"hostile\"}", "");
      tab.ok(
          "POST",
          "/queues/hostile/messages",
          "{\"body\":%s,\"hiddenSeconds\":0,\"ttlSeconds\":9000}"
              .formatted(json(EVIL + "W".repeat(60_000))),
          "");
      tab.ok("POST", "/containers", "{\"name\":\"hostile\"}", "");
      tab.ok(
          "PUT",
          "/containers/hostile/content?blob=" + FOLDER + "%2F" + encoded(EVIL + ".html"),
          json(EVIL),
          "");
      tab.ok(
          "POST",
          "/jobs",
          "{\"kind\":\"count\",\"table\":\"Hostile\",\"filter\":%s}".formatted(json(filter())),
          "");
    }
    HttpRequest refused =
        HttpRequest.newBuilder(
                URI.create(studio.console().tables() + "/Hostile()?x=" + encoded(EVIL)))
            .header("User-Agent", "<img src=x onerror=window.ran=1>")
            .build();
    assertThat(HttpClient.newHttpClient().send(refused, BodyHandlers.ofString()).statusCode())
        .isEqualTo(403);
  }

  private static void entity(Tab tab, String pk, String rk, String properties) {
    tab.ok(
        "POST",
        "/tables/Hostile/entities",
        "{\"k\":[%s,%s],\"v\":{%s}}".formatted(json(pk), json(rk), properties),
        "");
  }

  private static String json(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String filter() {
    return "PartitionKey eq '" + EVIL.replace("'", "''") + "'";
  }

  private static void check(Tab tab) {
    assertThat((List<?>) tab.page().evaluate(CHECK)).as(tab.page().url()).isEmpty();
  }

  @Test
  void hostileDataStaysText() {
    everywhere(new Browser.NewContextOptions().setViewportSize(1440, 900));
  }

  @Test
  void hostileDataFitsAPageOf320Pixels() {
    everywhere(new Browser.NewContextOptions().setViewportSize(320, 512));
  }

  private static void everywhere(Browser.NewContextOptions options) {
    try (Tab tab = studio.tab(options)) {
      tables(tab);
      query(tab);
      tab.open("/queues/hostile");
      tab.find("lz-grid .r0:not(.wait) >> nth=0").click();
      tab.see("aside pre").containsText("onerror");
      check(tab);
      tab.find("aside [role=tab]").last().click();
      check(tab);
      blobs(tab);
      tab.open("/live?status=errors&text=Hostile");
      tab.find("tbody.live tr").last().click();
      tab.see("aside").isVisible();
      check(tab);
      tab.find("aside [role=tab]").last().click();
      tab.see("aside").containsText("onerror");
      check(tab);
      tab.open("/jobs");
      tab.see("#main").containsText("Hostile");
      check(tab);
      tab.find("#main td a:has-text('Count')").first().click();
      tab.see("#main .job").isVisible();
      check(tab);
      tab.open("/load?text=" + encoded(EVIL));
      tab.see(".heat .ykeys button >> nth=0").isVisible();
      check(tab);
    }
  }

  private static void tables(Tab tab) {
    tab.open("/tables?prefix=" + encoded(EVIL));
    tab.see(".empty").isVisible();
    check(tab);
    tab.open("/tables/Hostile/" + encoded(EVIL) + "/" + encoded("r\u202E1"));
    tab.see("aside .fields .frow").hasCount(PROPERTIES + 3);
    tab.see("aside h2").containsText("⟨202E⟩");
    // The value is what is stored, and a line says what cannot be seen in it.
    assertThat(tab.find("aside .frow .field[aria-label^='مرح']").inputValue()).isEqualTo(EVIL);
    tab.see("aside .frow:has(.field[aria-label^='مرح'])").containsText("⟨202E⟩ ⟨200B⟩ ⟨2066⟩");
    assertThat(tab.find("aside .frow .field[aria-label^='Long']").inputValue()).hasSize(LONG);
    check(tab);
    for (String view : new String[] {"JSON", "Address"}) {
      tab.find("aside [role=tab]:has-text('" + view + "')").click();
      tab.see("aside pre >> nth=0").isVisible();
      check(tab);
    }
    tab.find("aside footer .danger").click();
    tab.see("[role=dialog]").containsText("⟨202E⟩");
    check(tab);
    tab.keys("Escape", "Escape");
    tab.see("aside.side").hasCount(0);
    tab.see("lz-grid").containsText("<img src=x");
    check(tab);
    tab.button("Columns").click();
    tab.see("[role=dialog]").containsText("مرح");
    check(tab);
    tab.keys("Escape");
    tab.find("lz-seg [role=radio]:has-text('JSON')").click();
    tab.see(".rows-json").containsText("onerror");
    check(tab);
  }

  private static void query(Tab tab) {
    tab.open("/query/Hostile?filter=" + encoded(filter()));
    tab.see(".result .bar b").hasText("1 entity");
    tab.see("lz-explain").containsText("⟨202E⟩");
    check(tab);
    tab.find("lz-filter textarea").fill("PartitionKey eq '<");
    tab.find("lz-filter textarea").press("Control+Space");
    tab.see(".complete").containsText("⟨202E⟩");
    check(tab);
  }

  private static void blobs(Tab tab) {
    tab.open("/blobs/hostile/" + FOLDER);
    tab.find("lz-grid .r0:not(.wait) >> nth=0").click();
    tab.see("aside pre").containsText("onerror");
    tab.see("aside h2").containsText("⟨202E⟩");
    check(tab);
    for (String view : new String[] {"Properties", "Bytes"}) {
      tab.find("aside [role=tab]:has-text('" + view + "')").click();
      tab.see("aside dl, aside pre").isVisible();
      check(tab);
    }
    tab.find("aside footer .danger").click();
    tab.see("[role=dialog]").containsText("⟨202E⟩");
    check(tab);
  }

  @Test
  void forcedColoursKeepWhatBackgroundsSaid() {
    Browser.NewContextOptions options =
        new Browser.NewContextOptions()
            .setViewportSize(1440, 900)
            .setForcedColors(ForcedColors.ACTIVE);
    try (Tab tab = studio.tab(options)) {
      // Colours are gone, so the map is a table at first.
      tab.open("/load");
      tab.see("table.t tbody tr >> nth=0").isVisible();
      assertMarked(tab, "lz-seg [role=radio][aria-checked=true]", "[aria-checked=false]");
      assertMarked(tab, ".nav a.item[aria-current]", ":not([aria-current])");
      tab.open("/tables/Hostile");
      tab.see("lz-grid .r0:not(.wait)").not().hasCount(0);
      tab.find("lz-grid .r0 >> nth=0").click();
      tab.see("aside.side").isVisible();
      assertMarked(tab, "lz-grid .r0.sel .c", "*");
      assertThat(
              tab.page()
                  .evaluate(
                      "() => getComputedStyle(document.querySelector('lz-grid .c.at')).outlineStyle"))
          .isEqualTo("solid");
    }
  }

  /** A chosen item must differ from others by more than a colour, because colours are forced. */
  private static void assertMarked(Tab tab, String chosen, String other) {
    assertThat(
            tab.page()
                .evaluate(
                    """
                    ([chosen, other]) => {
                      const a = document.querySelector(chosen);
                      const siblings = [...a.parentElement.children].filter(x => x !== a && x.matches(other));
                      const b = siblings.find(x => x.localName === a.localName && !x.matches(chosen)) || document.body;
                      return getComputedStyle(a).backgroundColor !== getComputedStyle(b).backgroundColor;
                    }
                    """,
                    List.of(chosen, other)))
        .as(chosen)
        .isEqualTo(true);
  }

  @Test
  void nothingMovesForPeopleWhoAskedForThat() throws Exception {
    Browser.NewContextOptions options =
        new Browser.NewContextOptions()
            .setViewportSize(390, 844)
            .setReducedMotion(ReducedMotion.REDUCE);
    try (Tab tab = studio.tab(options)) {
      tab.page()
          .addInitScript(
              """
              addEventListener('animationstart', () => (window.moved = 'animation'), true);
              addEventListener('transitionrun', () => (window.moved = 'transition'), true);
              """);
      tab.open("/live?status=errors");
      tab.see(".vhead .pill").hasText("connected");
      HttpRequest refused =
          HttpRequest.newBuilder(URI.create(studio.console().tables() + "/Calm()")).build();
      assertThat(HttpClient.newHttpClient().send(refused, BodyHandlers.ofString()).statusCode())
          .isEqualTo(403);
      tab.see("tbody.live")
          .containsText("Calm", new LocatorAssertions.ContainsTextOptions().setTimeout(15_000));
      tab.find(".top .menu-btn").click();
      tab.see("#nav").isVisible();
      tab.find("#nav a:has-text('Tables')").hover();
      assertThat(tab.page().evaluate("() => document.getAnimations().length")).isEqualTo(0);
      assertThat(tab.page().evaluate("() => window.moved ?? ''")).isEqualTo("");
    }
  }
}
