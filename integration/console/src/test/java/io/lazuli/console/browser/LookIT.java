package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every view by its address, at four widths in two themes: nothing overflows, axe finds no
 * violation of WCAG A or AA, and Tab reaches everything. A window of 1280 pixels at a zoom of 400 %
 * has 320. With -Dlook.pictures=true, target/pictures has a picture of each.
 */
class LookIT {
  private static final Map<String, String> VIEWS = new LinkedHashMap<>();

  /** The order of focus is the same at other widths. */
  private static final int WALKED = 1440;

  private static final String ALL_RULES = "wcag2a wcag2aa wcag21a wcag21aa";

  /** The only rule that depends on colours. */
  private static final String CONTRAST = "color-contrast";

  private static final String QUIET = "() => !document.querySelector('[aria-busy=true]')";

  /** Pictures are for people who change a view. They take a quarter of the time. */
  private static final boolean PICTURES = Boolean.getBoolean("look.pictures");

  /** On a wall only the views that fill it differ; axe takes long on so large a page. */
  private static final List<String> WIDE_VIEWS = List.of("overview", "table", "query", "load");

  private static final String MODEL =
      """
      {"entities":[{"name":"Order","count":1000000,"key":["number"],"properties":[
         {"name":"number","type":"String","unique":true},{"name":"customer","type":"String","distinct":50000},
         {"name":"at","type":"DateTime"},{"name":"state","type":"String","distinct":4}]}],
       "accesses":["read Order by number 200/s","list Order by customer newest first 20 400/s","list Order by state 1/min",
         "insert Order 5/s","update Order changing state 10/s"]}
      """;

  private static String axe;
  private static Studio studio;

  static {
    VIEWS.put("overview", "");
    VIEWS.put("tables", "/tables");
    VIEWS.put("table", "/tables/Staff");
    VIEWS.put("entity", "/tables/Staff/Legal/empid_001");
    VIEWS.put(
        "query",
        "/query/Staff?filter=PartitionKey%20eq%20%27Legal%27%20and%20LastName%20eq%20%27Jones%27");
    VIEWS.put("load", "/load");
    VIEWS.put("load-table", "/load?view=table");
    VIEWS.put("load-partition", "/load/Sessions/lobby");
    VIEWS.put("cost", "/cost");
    VIEWS.put("live", "/live");
    VIEWS.put("shapes", "/live/shapes");
    VIEWS.put("errors", "/live/errors");
    VIEWS.put("models", "/model");
    VIEWS.put("model", "/model/Look");
    for (String access : new String[] {"sas", "policies", "keys", "cors", "logging"}) {
      VIEWS.put("access-" + access, "/access/" + access);
    }
    VIEWS.put("choose", "/query");
    VIEWS.put("gone", "/tables/Nowhere");
    VIEWS.put("server", "/../-/server");
  }

  @BeforeAll
  static void seed() throws IOException {
    studio = Studio.get();
    try (InputStream in =
        LookIT.class.getResourceAsStream("/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js")) {
      axe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    try (Tab tab = studio.tab()) {
      tab.open("");
      tab.ok("POST", "/tables", "{\"name\":\"Staff\"}", "");
      for (int i = 0; i < 40; i++) {
        String row =
            """
            {"k":["Legal","empid_%03d"],"v":{"FirstName":"Ada","LastName":"%s","Age":%d,"Salary":50100.5,
             "Stock":{"t":"Int64","v":"7427898078225553"},"Hired":{"t":"DateTime","v":"2015-12-08T00:00:00.0000000Z"}}}
            """
                .formatted(i, i % 4 == 0 ? "Jones" : "Ito", 20 + i);
        tab.ok("POST", "/tables/Staff/entities", row, "");
      }
      VIEWS.put("jobs", "/jobs");
      tab.ok("POST", "/jobs", "{\"kind\":\"count\",\"table\":\"Staff\"}", "");
      tab.ok("POST", "/jobs", "{\"kind\":\"delete\",\"table\":\"Staff\"}", "");
      // A job that ends while the overview is walked would move what is below its card.
      tab.page()
          .waitForFunction(
              """
              async () => {
                const r = await fetch('/api/v1/accounts/%s/jobs', {headers: {'X-Lazuli-Console': '1'}});
                return (await r.json()).jobs.every(j => j.state !== 'running' && j.state !== 'waiting');
              }
              """
                  .formatted(PackedConsole.ACCOUNT));
      tab.ok("PUT", "/models/Look", MODEL, "");
      VIEWS.put("queues", "/queues");
      VIEWS.put("queue", "/queues/look");
      tab.ok("POST", "/queues", "{\"name\":\"look\"}", "");
      tab.ok(
          "POST",
          "/queues/look/messages",
          "{\"body\":\"hello\",\"hiddenSeconds\":0,\"ttlSeconds\":600}",
          "");
      VIEWS.put("containers", "/blobs");
      VIEWS.put("blobs", "/blobs/look");
      VIEWS.put("blob", "/blobs/look?blob=a.json");
      tab.ok("POST", "/containers", "{\"name\":\"look\"}", "");
      tab.ok("PUT", "/containers/look/content?blob=a.json", "{\"a\":1}", "");
    }
  }

  @Test
  void phonesInBothThemes() {
    look(VIEWS.keySet(), Look.light(320, 512), Look.dark(360, 740));
  }

  @Test
  void screensInBothThemes() {
    look(VIEWS.keySet(), Look.light(WALKED, 900), Look.dark(WALKED, 900));
  }

  @Test
  void aWallInTheDark() {
    look(WIDE_VIEWS, Look.dark(3840, 2160));
  }

  /** A window. */
  private record Look(int width, int height, ColorScheme theme) {
    static Look light(int width, int height) {
      return new Look(width, height, ColorScheme.LIGHT);
    }

    static Look dark(int width, int height) {
      return new Look(width, height, ColorScheme.DARK);
    }

    @Override
    public String toString() {
      return width + "-" + theme.name().toLowerCase(Locale.ROOT);
    }
  }

  /** Opens each view in the first window, which then changes into the others. */
  private static void look(Collection<String> names, Look first, Look... others) {
    Browser.NewContextOptions options =
        new Browser.NewContextOptions()
            .setViewportSize(first.width, first.height)
            .setColorScheme(first.theme)
            // A theme that comes slowly would be judged half way.
            .setReducedMotion(ReducedMotion.REDUCE)
            .setBypassCSP(true);
    List<String> findings = new ArrayList<>();
    try (Tab tab = studio.tab(options).allow("status of 404|Canvas2D")) {
      Page page = tab.page();
      for (String name : names) {
        set(page, first);
        tab.open(VIEWS.get(name));
        page.waitForFunction("() => document.querySelector('#main h1, #main aside h2')");
        page.waitForLoadState();
        page.waitForFunction(QUIET);
        page.evaluate(axe);
        check(tab, name, first, ALL_RULES, findings);
        if (first.width == WALKED) {
          Focus.walk(tab).forEach(each -> findings.add(name + " " + first + ": " + each));
        }
        for (Look other : others) {
          set(page, other);
          page.waitForFunction(QUIET);
          check(tab, name, other, other.width == first.width ? CONTRAST : ALL_RULES, findings);
        }
      }
    }
    assertThat(findings).isEmpty();
  }

  private static void set(Page page, Look look) {
    page.setViewportSize(look.width, look.height);
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(look.theme));
  }

  private static void check(Tab tab, String name, Look look, String rules, List<String> findings) {
    Page page = tab.page();
    if (Boolean.TRUE.equals(
        page.evaluate(
            "() => document.documentElement.scrollWidth > innerWidth + 1"
                + " || document.getElementById('main').scrollWidth > innerWidth + 1"))) {
      findings.add(name + " " + look + ": overflows");
    }
    List<?> found =
        (List<?>)
            page.evaluate(
                """
                async rules => (await axe.run(document, {runOnly: rules.split(' ')}))
                  .violations.map(v => v.id + ': ' + v.nodes[0].html.slice(0, 200))
                """,
                rules);
    found.forEach(each -> findings.add(name + " " + look + ": " + each));
    if (PICTURES) {
      page.screenshot(
          new Page.ScreenshotOptions()
              .setPath(Path.of("target/pictures/" + name + "-" + look + ".png")));
    }
  }
}
