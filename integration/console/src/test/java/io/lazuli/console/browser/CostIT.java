package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** Operations, sizes and prices, with the load that {@link PackedConsole} seeds. */
class CostIT {
  private final Studio studio = Studio.get();

  private static String month(Tab tab) {
    return tab.find(".tile .v").last().textContent();
  }

  @Test
  void pricesChangeTheSumAndAnotherPeriodIsCompared() {
    try (Tab tab = studio.tab()) {
      tab.open("");
      tab.see("h1").isVisible();
      tab.keys("g", "c");
      tab.see("h1").hasText("Cost");
      tab.see(".tiles").containsText("exact, counted");
      tab.see("table.costs tbody").containsText("Orders");
      tab.see("svg.bars").hasCount(2);
      String before = month(tab);
      assertThat(before).endsWith(" USD");
      tab.see(".card p.muted").containsText("January 2024");
      tab.find("input[aria-label='Reads, per 10,000, Tables']").fill("5");
      tab.see(".card p.muted").containsText("Your prices");
      assertThat(month(tab)).isNotEqualTo(before);
      String after = month(tab);
      tab.find("input[aria-label='Reads, per 10,000, Tables']").fill("cheap");
      tab.see("[role=alert] .note.bad").containsText("not negative");
      assertThat(month(tab)).isEqualTo(after);

      tab.find("lz-seg [role=radio]").filter(text("Kind of operation")).click();
      tab.see("table.costs tbody").containsText("Scan");
      tab.find("lz-seg [role=radio]").filter(text("7 d")).click();
      tab.page().waitForURL("**/cost?*span=7d*");
      tab.find("select.field").selectOption("previous");
      tab.see(".note.info").containsText("Compared with");
      tab.see("table.costs thead").containsText("Before");
      assertThat(tab.page().url()).contains("by=kind", "compare=previous");
      String sum = tab.find("table.costs tr.sum").textContent();

      // The address is the view; the prices are this browser's.
      tab.page().reload();
      tab.see("table.costs tr.sum").hasText(sum);
      tab.button("Back to the examples").click();
      assertThat(tab.find("input[aria-label='Reads, per 10,000, Tables']").inputValue())
          .isEqualTo("0.00036");
    }
  }

  @Test
  void daysAreChosenAndFiguresAreSaved() throws IOException {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    String days = "from=" + today.minusDays(9) + "&to=" + today.minusDays(3);
    try (Tab tab = studio.tab()) {
      tab.open("/cost?" + days + "&compare=" + today.minusDays(9));
      tab.see(".note.info").containsText("as many transactions");
      tab.find("lz-chart [role=radio]").nth(1).click();
      tab.see(".charttable tbody tr").hasCount(7);
      assertThat(Files.readString(saved(tab, "CSV, all figures").path()))
          .contains("table,Events,insert,exact,", "table,Orders,Stored,measured,");
      assertThat(Files.readString(saved(tab, "SVG picture").path()))
          .startsWith("<svg ")
          .contains("Events", "</svg>");
      assertThat(Files.size(saved(tab, "PNG picture").path())).isGreaterThan(5_000);

      tab.button("Choose days").click();
      tab.find("lz-dialog input").last().fill(today.minusDays(20).toString());
      tab.find("lz-dialog .primary").click();
      tab.see("lz-dialog .note.bad").containsText("must not be before");
      tab.find("lz-dialog input").first().fill(today.minusDays(21).toString());
      tab.find("lz-dialog .primary").click();
      tab.see("lz-dialog").hasCount(0);
      tab.page().waitForURL("**/cost?*from=" + today.minusDays(21) + "*");
    }
  }

  private static Download saved(Tab tab, String format) {
    tab.button("Download").first().click();
    tab.find("lz-dialog [role=radio]").filter(text(format)).click();
    return tab.page().waitForDownload(() -> tab.find("lz-dialog footer .primary").click());
  }

  private static Locator.FilterOptions text(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }
}
