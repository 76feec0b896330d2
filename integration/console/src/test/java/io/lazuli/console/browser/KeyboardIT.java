package io.lazuli.console.browser;

import static io.lazuli.console.browser.Focus.reach;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ReducedMotion;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** People without a mouse: sign in, find, edit, query, delete and look at load with keys alone. */
class KeyboardIT {
  private static final LocatorAssertions.HasTextOptions PATIENT =
      new LocatorAssertions.HasTextOptions().setTimeout(30_000);

  private static Studio studio;

  @BeforeAll
  static void seed() {
    studio = Studio.get();
    try (Tab tab = studio.tab()) {
      tab.open("");
      for (String table : new String[] {"Keys", "Locks"}) {
        tab.ok("POST", "/tables", "{\"name\":\"" + table + "\"}", "");
        for (int i = 0; i < 6; i++) {
          tab.ok(
              "POST",
              "/tables/" + table + "/entities",
              "{\"k\":[\"p%d\",\"r%d\"],\"v\":{\"Age\":%d,\"Name\":\"x\"}}".formatted(i / 3, i, i),
              "");
        }
      }
    }
  }

  @Test
  void signInFindATableAndMergeAConflict() {
    try (Tab tab = studio.strangerTab().allow("status of 401|status of 412")) {
      Page page = tab.page();
      tab.open("/tables");
      page.waitForURL("**/-/sign-in?to=**");
      tab.type(studio.console().newLink());
      tab.keys("Enter");
      tab.see("h1").hasText("Tables");
      tab.keys("Control+k");
      tab.type("keys");
      tab.see(".palette li[aria-selected=true]").containsText("Keys");
      tab.keys("Enter");
      tab.see("lz-grid .r0 >> nth=0").containsText("p0");

      reach(tab, "Entities of Keys");
      tab.keys("Control+Home", "ArrowDown", "Enter");
      tab.see("aside h2").hasText("p0 / r1");
      reach(tab, "Age, Int32");
      tab.keys("Control+a");
      tab.type("99");
      tab.ok("PATCH", "/tables/Keys/entities?pk=p0&rk=r1", "{\"v\":{\"Name\":\"other\"}}", "*");
      tab.keys("Control+s");
      tab.see("[role=dialog] h2").hasText("Somebody changed this entity");
      assertThat(Focus.name(tab)).isEqualTo("Cancel");
      reach(tab, "Merge mine into theirs");
      // Tab stays in the dialog.
      reach(tab, "Cancel");
      reach(tab, "Merge mine into theirs");
      tab.keys("Enter");
      tab.see(".toast").containsText("1 entity was stored");
      tab.see("[role=dialog]").hasCount(0);
      assertThat(Focus.name(tab)).isEqualTo("Age, Int32");
      tab.keys("Escape");
      tab.see("aside.side").hasCount(0);
      assertThat(Focus.name(tab)).isEqualTo("Entities of Keys");
    }
    assertThat(TableWire.entity(studio.console(), "Keys", "p0", "r1"))
        .contains("\"Age\":99", "\"Name\":\"other\"");
  }

  @Test
  void aFilterIsTypedCompletedRunAndLeft() {
    try (Tab tab = studio.tab()) {
      tab.open("");
      tab.see("h1").isVisible();
      tab.keys("g", "y");
      // Without a table the list of tables opens.
      tab.see(".palette li[aria-selected=true]").isVisible();
      tab.type("keys");
      tab.see(".palette li[aria-selected=true]").containsText("Keys");
      tab.keys("Enter");
      tab.see("lz-filter textarea").isFocused();
      tab.type("Part");
      tab.see(".complete [aria-selected=true]").containsText("PartitionKey");
      tab.keys("Escape");
      tab.see(".complete").hasCount(0);
      tab.keys("Control+Space", "Enter");
      tab.type("eq 'p1'");
      tab.keys("Control+Enter");
      tab.see(".result .bar").containsText("3 entities");
      // Without a list of completions Tab leaves the editor.
      reach(tab, "Export exactly this…");
      tab.keys("Enter");
      tab.see("[role=dialog] h2").isVisible();
      tab.keys("Escape");
      tab.see("[role=dialog]").hasCount(0);
      assertThat(Focus.name(tab)).startsWith("Export exactly this…");
    }
  }

  @Test
  void whatMatchesIsCountedAndDeleted() {
    try (Tab tab = studio.tab()) {
      tab.open("/tables/Locks");
      tab.see("lz-grid .r0 >> nth=0").containsText("p0");
      tab.keys("/");
      tab.type("PartitionKey eq 'p1'");
      tab.keys("Enter");
      tab.see("lz-grid .r0:not(.wait)").hasCount(3);
      reach(tab, "All that match…");
      tab.keys("Enter");
      tab.see("lz-dialog h2").hasText("All entities that match");
      reach(tab, "Delete…");
      tab.keys("Enter");
      tab.see("lz-dialog h2").hasText("Delete 3 entities?", PATIENT);
      assertThat(Focus.name(tab)).isEqualTo("Keep");
      reach(tab, "Delete 3 entities");
      tab.keys("Enter");
      tab.see(".job .chip").hasText("done", PATIENT);
      // The link that was pressed is gone; Tab goes on in the job.
      reach(tab, "Delete");
    }
    assertThat(TableWire.entity(studio.console(), "Locks", "p0", "r0")).contains("\"Age\":0");
    assertThat(TableWire.entity(studio.console(), "Locks", "p1", "r3"))
        .contains("ResourceNotFound");
  }

  @Test
  void loadIsReadAndDrilledInto() {
    try (Tab tab = studio.tab()) {
      tab.open("");
      tab.see("h1").isVisible();
      tab.keys("g", "l");
      tab.see(".diag >> nth=0").isVisible();
      // A choice draws the buttons anew; the focus stays on the one that was chosen.
      reach(tab, "1 h");
      tab.keys("ArrowRight");
      tab.page().waitForURL("**/load?*span=6h*");
      assertThat(Focus.name(tab)).isEqualTo("6 h");
      tab.keys("ArrowLeft");
      reach(tab, "Load by ranges of keys and time");
      tab.keys("ArrowDown", "Shift+ArrowDown");
      tab.see("#said").containsText("requests per second");
      tab.keys("t");
      tab.see("table.t tbody tr >> nth=0").isVisible();
      tab.keys("t");
      tab.see(".heat .plot").isFocused();
      tab.keys("ArrowDown", "Enter");
      tab.see("h1").containsText("Load: ");
      reach(tab, "Load by ranges of keys and time");
      tab.keys("Escape");
      tab.see("h1").hasText("Load");
    }
  }

  @Test
  void keysAreListedAndSingleLettersCanBeSwitchedOff() {
    try (Tab tab = studio.tab()) {
      tab.open("/tables");
      tab.see("h1").hasText("Tables");
      reach(tab, "Queues");
      tab.keys("?");
      tab.see("[role=dialog] table").containsText("Ctrl K");
      tab.see("[role=dialog] table").containsText("grid");
      tab.see("[role=dialog] table").containsText("heat map");
      tab.see("[role=dialog] table").containsText("live");
      tab.keys("Escape");
      assertThat(Focus.name(tab)).isEqualTo("Queues");
      reach(tab, "You");
      tab.keys("Enter");
      reach(tab, "Single letters are shortcuts");
      tab.keys("Space", "Escape");
      assertThat(Focus.name(tab)).isEqualTo("You");
      tab.keys("g", "q", "?");
      tab.see("[role=dialog]").hasCount(0);
      tab.see("h1").hasText("Tables");
      tab.keys("Control+k");
      tab.see(".palette").isVisible();
    }
  }

  @Test
  void onAPhoneTheMenuAndThePanelKeepTheFocus() {
    Browser.NewContextOptions phone =
        new Browser.NewContextOptions()
            .setViewportSize(390, 844)
            .setReducedMotion(ReducedMotion.REDUCE);
    try (Tab tab = studio.tab(phone)) {
      tab.open("/tables/Keys/p0/r0");
      tab.see("aside .fields").isVisible();
      // What lies under the panel is out of reach.
      assertThat(Focus.walk(tab)).isEmpty();
      tab.keys("Escape");
      tab.see("aside.side").hasCount(0);
      assertThat(Focus.walk(tab)).isEmpty();
      tab.page().evaluate("() => document.querySelector('.skip').focus()");
      reach(tab, "Open the menu");
      tab.keys("Enter");
      tab.see("#nav").isVisible();
      reach(tab, "Jobs");
      tab.keys("Escape");
      tab.see("#nav").isHidden();
      assertThat(Focus.name(tab)).isEqualTo("Open the menu");
      tab.keys("Enter");
      reach(tab, "Jobs");
      tab.keys("Enter");
      tab.see("h1").hasText("Jobs");
      tab.see("#nav").isHidden();
    }
  }
}
