package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Jobs: a delete that a killed server goes on with, and files that come back as they left. */
class JobsIT {
  private static final String FILTER = "PartitionKey eq 'old'";

  /** Jobs take seconds, and converting a file starts a JVM. */
  private static final LocatorAssertions.HasTextOptions PATIENT =
      new LocatorAssertions.HasTextOptions().setTimeout(30_000);

  private final Studio studio = Studio.get();

  private static void insert(Tab tab, String table, String partition, int count) {
    for (int from = 0; from < count; from += 100) {
      StringBuilder changes = new StringBuilder();
      for (int i = from; i < from + 100; i++) {
        changes
            .append(i == from ? "" : ",")
            .append(
                "{\"op\":\"insert\",\"k\":[\"%s\",\"%04d\"],\"v\":{\"N\":%d}}"
                    .formatted(partition, i, i));
      }
      tab.ok("POST", "/tables/" + table + "/transaction", "{\"changes\":[" + changes + "]}", "");
    }
  }

  private static Locator.FilterOptions hasText(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  private static Locator foot(Tab tab, String text) {
    return tab.find("lz-dialog footer button").filter(hasText(text));
  }

  private static void seeState(Tab tab, String state) {
    tab.see(".job .chip").hasText(state, PATIENT);
  }

  private static void seeAmount(Tab tab, String regex) {
    tab.see(".job .soft .num:first-child").hasText(Pattern.compile(regex), PATIENT);
  }

  private static String id(String json) {
    return json.replaceAll("(?s).*?\"id\":\"(\\w+)\".*", "$1");
  }

  @Test
  void aDeleteCountsAsksPausesAndOutlivesAKilledServer() {
    PackedConsole server = PackedConsole.startEmpty();
    String job;
    try (Tab tab = studio.tab(server).allow("ERR_|status of 404|EventSource")) {
      tab.ok("POST", "/tables", "{\"name\":\"Audit\"}", "");
      insert(tab, "Audit", "old", 500);
      insert(tab, "Audit", "new", 100);

      tab.open("/tables/Audit?filter=" + FILTER.replace(" ", "%20").replace("'", "%27"));
      tab.button("All that match…").click();
      tab.find("lz-dialog .btn").filter(hasText("Delete…")).click();
      tab.see("lz-dialog h2").hasText("Delete 500 entities?");
      tab.see("lz-dialog .note.bad").containsText("cannot be undone");
      tab.see("lz-dialog footer button:first-child").isFocused();
      foot(tab, "Keep").click();
      tab.keys("g", "j");
      tab.see("h1").hasText("Jobs");
      tab.see("table.t tbody").containsText("Nothing was changed.");

      String body =
          "{\"kind\":\"delete\",\"table\":\"Audit\",\"filter\":\"" + FILTER + "\",\"rate\":100}";
      job = id(tab.call("POST", "/jobs", body, "").get("text").toString());
      seeState(tab, "waits for you");
      tab.button("Go on…").click();
      foot(tab, "Delete 500 entities").click();
      seeAmount(tab, "[1-4]00 of 500");
      tab.button("Pause").click();
      seeState(tab, "paused");
      picture(tab, "tour-jobs.png");
      tab.button("Go on").click();
      seeState(tab, "running");
      seeAmount(tab, "[2-4]00 of 500");
      server = server.killedAndStarted();
    }
    try (Tab tab = studio.tab(server)) {
      tab.open("/jobs/" + job);
      seeState(tab, "done");
      tab.see(".job").containsText("entities were deleted.");
      tab.see("pre.code").containsText("goes on after a stop of the server");
      tab.open("/query/Audit?filter=");
      tab.see(".result .bar b").hasText("100 entities");
      tab.see("lz-grid [role=row]").not().hasCount(0);
      tab.see("lz-grid").not().containsText("old");
    } finally {
      server.kill();
    }
  }

  private static void picture(Tab tab, String name) {
    tab.page().screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/pictures", name)));
  }

  @Test
  void whatIsExportedComesBackEqual() {
    try (Tab tab = studio.tab()) {
      tab.open("/jobs");
      tab.ok("POST", "/tables", "{\"name\":\"Goods\"}", "");
      insert(tab, "Goods", "p", 100);
      tab.ok(
          "POST",
          "/tables/Goods/entities",
          "{\"k\":[\"q\",\"=1+1\"],\"v\":{\"S\":\"=2, \\\"x\\\"\",\"L\":{\"t\":\"Int64\",\"v\":"
              + "\"9007199254740993\"},\"D\":{\"t\":\"Double\",\"v\":\"NaN\"},\"E\":\"\"}}",
          "");
      for (String format : formats()) {
        tab.open("/query/Goods?filter=N%20ge%20-1%20or%20PartitionKey%20eq%20%27q%27");
        tab.see(".result .bar b").hasText("101 entities");
        tab.button("Export exactly this…").click();
        tab.find("lz-dialog input[value=" + format + "]").check();
        foot(tab, "Export").click();
        seeState(tab, "done");
        Download file =
            tab.page()
                .waitForDownload(() -> tab.find(".job a").filter(hasText("Download")).click());
        assertThat(file.suggestedFilename()).isEqualTo("Goods." + format);
        Path saved = Path.of("target/pictures").resolve("Goods." + format);
        file.saveAs(saved);

        tab.open("/jobs");
        tab.button("Import…").click();
        tab.find("lz-dialog input[type=file]").setInputFiles(saved);
        tab.find("lz-dialog input.mono").fill("Goods" + format);
        foot(tab, "Import").click();
        seeState(tab, "done");
        tab.see(".job").containsText("101 entities were written.");
        assertThat(content(tab, "Goods" + format)).isEqualTo(content(tab, "Goods"));
      }
    }
  }

  /** Parquet needs a program that a build of this module alone does not make. */
  private static List<String> formats() {
    boolean isThere = Files.exists(Path.of("../../lazuli-transfer/target/lazuli-transfer.jar"));
    if (!isThere) {
      System.err.println("PARQUET WAS NOT TRIED: lazuli-transfer.jar IS NOT BUILT.");
    }
    return isThere ? List.of("jsonl", "csv", "parquet") : List.of("jsonl", "csv");
  }

  /** Returns the keys and values of a table, without ETags and times. */
  private static Object content(Tab tab, String table) {
    tab.ok("GET", "/tables/" + table + "/columns", "", "");
    return tab.page()
        .evaluate(
            """
            async ([account, table]) => {
              const r = await fetch(`/api/v1/accounts/${account}/tables/${table}/query`,
                {method: 'POST', headers: {'X-Lazuli-Console': '1'}, body: '{"limit":1000}'});
              const sorted = v => Object.fromEntries(Object.entries(v).sort());
              return JSON.stringify((await r.json()).rows.map(x => [x.k, sorted(x.v)]));
            }
            """,
            List.of(PackedConsole.ACCOUNT, table));
  }
}
