package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people do with the console, in a real browser on the packed server. */
class JourneysIT {
  private static final int ROWS = 10_000;
  private static final int LATE = 8_000;

  /** Rows in sight at 900 px, and those above and below that make scrolling smooth. */
  private static final int ROWS_IN_DOM_MAX = 60;

  private static Studio studio;

  @BeforeAll
  static void seed() {
    studio = Studio.get();
    try (Tab tab = studio.tab()) {
      tab.open("");
      for (String table : new String[] {"Employees", "Types", "Pairs"}) {
        tab.ok("POST", "/tables", "{\"name\":\"" + table + "\"}", "");
      }
      for (int i = 0; i < ROWS; i += 100) {
        tab.ok("POST", "/tables/Employees/transaction", batch(i), "");
      }
      tab.ok(
          "POST",
          "/tables/Types/entities",
          """
          {"k":["t","all"],"v":{"Evil":"<img src=x onerror=alert(1)>\\u202eabc","S":"text","Empty":"","I":-5,"L":{"t":"Int64","v":"9007199254740993"},
           "D":46.5,"B":false,"T":{"t":"DateTime","v":"2026-11-18T06:54:32.1234567Z"},
           "G":{"t":"Guid","v":"c9da6455-213d-42c9-9a79-3e9149a57833"},"X":{"t":"Binary","v":"AAECAwQF"}}}
          """,
          "");
      tab.ok("POST", "/tables/Types/entities", "{\"k\":[\"t\",\"other\"],\"v\":{\"S\":5}}", "");
      for (String key : new String[] {"a", "b"}) {
        tab.ok(
            "POST",
            "/tables/Pairs/entities",
            "{\"k\":[\"" + key + "\",\"1\"],\"v\":{\"Age\":1,\"Name\":\"x\"}}",
            "");
      }
    }
  }

  private static String batch(int from) {
    String partition = from < 400 ? "Legal" : "Sales";
    return IntStream.range(from, from + 100)
        .mapToObj(
            i ->
                "{\"op\":\"insert\",\"k\":[\"%s\",\"empid_%06d\"],\"v\":{\"LastName\":\"%s\",\"Age\":%d%s}}"
                    .formatted(
                        partition,
                        i,
                        i % 40 == 0 ? "Jones" : "Ito",
                        20 + i % 40,
                        i >= LATE ? ",\"Late\":true" : ""))
        .collect(Collectors.joining(",", "{\"changes\":[", "]}"));
  }

  @Test
  void signInByALinkThenFindATableByTyping() {
    try (Tab tab = studio.strangerTab().allow("status of 401")) {
      Page page = tab.page();
      tab.open("/tables");
      page.waitForURL("**/-/sign-in?to=**");
      tab.see("h1").hasText("Sign in");
      page.navigate(studio.console().newLink());
      page.waitForURL("**/" + PackedConsole.ACCOUNT);
      assertThat(page.url()).doesNotContain("#");
      tab.see("section.card b:text-is('Employees')").isVisible();
      tab.keys("Control+k");
      tab.type("emp");
      tab.see(".palette li[aria-selected=true]").containsText("Employees");
      tab.keys("Enter");
      page.waitForURL("**/tables/Employees");
      tab.see("lz-grid .r0 >> nth=0").containsText("empid_000000");
    }
  }

  @Test
  void aLinkWorksOnce() {
    String link = studio.console().newLink();
    try (Tab tab = studio.strangerTab()) {
      tab.page().navigate(link);
      tab.page().waitForURL("**/" + PackedConsole.ACCOUNT);
    }
    try (Tab tab = studio.strangerTab().allow("status of 40")) {
      tab.page().navigate(link);
      tab.see(".signin [role=alert] .note").isVisible();
      assertThat(tab.page().url()).doesNotContain("#");
    }
  }

  @Test
  void tenThousandEntitiesByKeysWithFewRowsInTheDocument() {
    try (Tab tab = studio.tab()) {
      tab.open("/tables/Employees");
      tab.see("lz-grid .r0 >> nth=0").containsText("Legal");
      tab.find("lz-grid").focus();
      tab.page()
          .waitForFunction(
              """
              () => {
                const grid = document.querySelector('lz-grid');
                grid.dispatchEvent(new KeyboardEvent('keydown', {key: 'End', ctrlKey: true}));
                return grid.o.pages.end && grid.at.r === 9999;
              }
              """);
      tab.see("lz-grid").containsText("empid_009999");
      tab.see("lz-grid .hd").containsText("Late");
      tab.see(".bar.foot").containsText("of 10,000");
      assertThat(tab.find("lz-grid .r0").count()).isLessThan(ROWS_IN_DOM_MAX);
      assertThat(
              tab.page()
                  .evaluate("() => [...document.querySelector('lz-grid').o.pages.loaded()].length"))
          .isEqualTo(5_000);
      tab.keys("Control+Home");
      tab.see("lz-grid").containsText("empid_000000");
    }
  }

  @Test
  void everyTypeIsShownEditedAndStoredExactly() {
    try (Tab tab = studio.tab()) {
      tab.open("/tables/Types/t/all");
      tab.see("aside .fields").isVisible();
      tab.see("lz-grid").containsText("<img src=x onerror=alert(1)>");
      tab.see("lz-grid .val.blank").hasText("''");
      tab.see("lz-grid .val.absent >> nth=0").hasText("·");
      Map<String, String> edits =
          Map.of(
              "I", "2147483647",
              "L", "-9223372036854775808",
              "D", "NaN",
              "T", "2027-01-02T03:04:05.7654321Z",
              "G", "00000000-0000-0000-0000-000000000001",
              "X", "/////w==",
              "S", "");
      edits.forEach((name, value) -> field(tab, name).fill(value));
      field(tab, "B").selectOption("true");
      field(tab, "I").fill("2147483648");
      field(tab, "I").blur();
      tab.see("aside .wrong >> text=whole number").isVisible();
      field(tab, "I").fill("2147483647");
      field(tab, "I").blur();
      tab.see(".stage").containsText("8 changes in 1 entity, not sent yet");
      tab.keys("Control+s");
      tab.see(".toast").containsText("1 entity was stored");
    }
    String stored = TableWire.entity(studio.console(), "Types", "t", "all");
    assertThat(stored)
        .contains(
            "\"S\":\"\"",
            "\"I\":2147483647",
            "\"L\":\"-9223372036854775808\"",
            "\"D\":\"NaN\"",
            "\"B\":true",
            "\"T\":\"2027-01-02T03:04:05.7654321Z\"",
            "\"G\":\"00000000-0000-0000-0000-000000000001\"",
            "\"X\":\"/////w==\"");
  }

  private static Locator field(Tab tab, String name) {
    return tab.find("aside .frow .field[aria-label^='" + name + ", ']");
  }

  @Test
  void aConflictIsShownAndMerged() {
    try (Tab tab = studio.tab().allow("status of 412")) {
      tab.open("/tables/Employees/Legal/empid_000001");
      field(tab, "Age").fill("99");
      tab.ok(
          "PATCH",
          "/tables/Employees/entities?pk=Legal&rk=empid_000001",
          "{\"v\":{\"LastName\":\"Other\"}}",
          "*");
      // The field was not left: the key commits what is typed in it, too.
      tab.keys("Control+s");
      tab.see("[role=dialog] h2").hasText("Somebody changed this entity");
      tab.see("[role=dialog] tr:has(b:text-is('LastName'))").containsText("Other");
      tab.see("[role=dialog] tr:has(b:text-is('Age'))").containsText("99");
      tab.button("Merge mine into theirs").click();
      tab.see(".toast").containsText("1 entity was stored");
      tab.see("[role=dialog]").hasCount(0);
    }
    assertThat(TableWire.entity(studio.console(), "Employees", "Legal", "empid_000001"))
        .contains("\"Age\":99", "\"LastName\":\"Other\"");
  }

  @Test
  void stagedEditsAreUndoneDiscardedAndAskedAbout() {
    try (Tab tab = studio.tab()) {
      tab.open("/tables/Pairs");
      tab.find("lz-grid .r0 >> nth=0").waitFor();
      tab.page().waitForFunction("() => !document.querySelector('[aria-busy=true]')");
      tab.find("lz-grid").focus();
      tab.keys("Control+Home", "Home", "ArrowRight", "ArrowRight", "F2");
      tab.type("7");
      tab.keys("Enter");
      tab.see(".stage").containsText("1 change in 1 entity");
      tab.keys("ArrowDown", "F2");
      tab.type("8");
      tab.keys("Enter");
      tab.see(".stage").containsText("These changes are in 2 partitions");
      tab.keys("Control+z");
      tab.see(".stage").containsText("1 change in 1 entity");
      tab.find(".nav a.item:has-text('Overview')").click();
      tab.see("[role=dialog] h2").hasText("Leave with changes that are not sent?");
      tab.button("Stay").click();
      assertThat(tab.page().url()).contains("/tables/Pairs");
      tab.button("Discard").click();
      tab.see(".stage").hasCount(0);
      tab.find(".nav a.item:has-text('Overview')").click();
      tab.see("h1").hasText(PackedConsole.ACCOUNT);
    }
    assertThat(TableWire.entity(studio.console(), "Pairs", "a", "1")).contains("\"Age\":1,");
  }

  @Test
  void aFilterIsTypedWithCompletionAndExplained() {
    try (Tab tab = studio.tab()) {
      tab.open("/query/Employees");
      tab.see("lz-explain .h1").hasText("Table scan");
      tab.find("lz-filter textarea").focus();
      tab.type("Part");
      tab.see(".complete [aria-selected=true]").containsText("PartitionKey");
      tab.keys("Enter");
      tab.type("eq 'Le");
      tab.see(".complete [aria-selected=true]").containsText("'Legal'");
      tab.keys("Tab");
      tab.see("lz-explain .h1").hasText("Partition scan");
      tab.type("and LastName eq ");
      tab.see("lz-explain .chip").hasText("so far");
      tab.type("'Jones'");
      tab.see("lz-explain .chip").containsText("estimate");
      tab.keys("Control+Enter");
      tab.see("lz-explain .chip").hasText("measured");
      tab.see(".result .bar").containsText("10 entities");
      tab.see("lz-explain").containsText("Read 400, return 10");
      tab.see("lz-explain .ladder .on").containsText("Partition");
      assertThat(tab.page().url()).contains("filter=");
      explained(tab, "PartitionKey eq 'Legal' and RowKey eq 'empid_000001'", "Point query");
      explained(
          tab,
          "PartitionKey eq 'Legal' and RowKey ge 'empid_0001' and RowKey lt 'empid_0002'",
          "Range query");
      explained(
          tab,
          "PartitionKey eq 'Legal' and (RowKey eq 'empid_000001' or RowKey eq 'empid_000003')",
          "2 lookups");
      explained(tab, "LastName eq 'Jones'", "Table scan");
      tab.find("lz-filter textarea").fill("PartitionKey eq and LastName eq 'Jones'");
      tab.see("lz-explain .note.bad").isVisible();
      tab.see("lz-filter pre .e").isVisible();
    }
  }

  private static void explained(Tab tab, String filter, String headline) {
    tab.find("lz-filter textarea").fill(filter);
    tab.see("lz-explain .h1").hasText(headline);
  }

  @Test
  void anEntityIsAddedAndDeleted() {
    try (Tab tab = studio.tab()) {
      tab.open("/tables/Pairs");
      tab.button("Entity").click();
      tab.see("[role=dialog] h2").hasText("Add an entity");
      tab.find("[role=dialog] input >> nth=0").fill("c");
      tab.find("[role=dialog] input >> nth=1").fill("9");
      tab.find("[role=dialog] .props input >> nth=0").fill("Big");
      tab.find("[role=dialog] .props select").selectOption("Int64");
      tab.find("[role=dialog] .props .pv").fill("9223372036854775807");
      tab.button("Insert").click();
      tab.see("aside h2").hasText("c / 9");
      assertThat(TableWire.entity(studio.console(), "Pairs", "c", "9"))
          .contains("9223372036854775807");
      tab.find("aside footer").getByText("Delete").click();
      tab.see("[role=dialog] footer .btn >> nth=0").isFocused();
      tab.button("Delete 1 entity").click();
      tab.see(".toast >> nth=-1").containsText("1 entity was deleted");
      tab.see("aside.side").hasCount(0);
    }
  }
}
