package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The heat map and the diagnoses, with the load that {@link PackedConsole} seeds. */
class LoadIT {
  private final Studio studio = Studio.get();

  @Test
  void aDiagnosisIsFramedReadByKeyboardDrilledIntoAndSilenced() {
    try (Tab tab = studio.tab()) {
      tab.open("/load");
      Locator hot = tab.find(".diag").filter(hasText("Single hot partition"));
      hot.locator("button").first().click();
      tab.see(".diag.on dl.evidence").containsText("bound");
      tab.see(".diag.on .note").containsText("Spread the partition");
      tab.see(".heat .selbox").isVisible();
      tab.see(".selection").containsText("Sessions");
      assertThat(tab.page().url()).contains("diagnosis=");
      tab.page()
          .screenshot(
              new Page.ScreenshotOptions().setPath(Path.of("target/pictures/tour-load.png")));

      tab.find(".heat .plot").focus();
      tab.keys("ArrowDown", "Shift+ArrowDown", "ArrowLeft");
      tab.see(".heat .tip").containsText("entities written/s");
      tab.see("#said").containsText("requests per second");
      String said = tab.find("#said").textContent();
      tab.keys("ArrowUp");
      tab.page()
          .waitForFunction("old => document.getElementById('said').textContent !== old", said);

      tab.keys("Escape", "t");
      tab.see("table.t tbody tr:first-child").containsText("Sessions");
      tab.keys("t");
      tab.see(".heat .plot").isFocused();

      tab.find(".ykeys button[title=Sessions]").click();
      tab.see("h1").hasText("Load: Sessions");
      tab.find(".heat .plot").focus();
      tab.keys("ArrowDown", "Enter");
      tab.see("h1").containsText("Partition");
      tab.see("lz-chart").hasCount(3);
      tab.page().goBack();
      tab.page().goBack();
      tab.see("h1").hasText("Load");

      tab.button("Not a problem").click();
      tab.see(".diag.past").containsText("quiet until");
      tab.page().reload();
      tab.see(".diag.past").containsText("Single hot partition");
    }
  }

  @Test
  void theMapIsSavedAsPictureAndNumbers() throws IOException {
    try (Tab tab = studio.tab()) {
      tab.open("/load?metric=bytes&dir=writes");
      tab.see(".heat .ykeys button[title=Events]").isVisible();
      assertThat(Files.size(saved(tab, "PNG picture").path())).isGreaterThan(5_000);
      assertThat(Files.readString(saved(tab, "SVG picture").path()))
          .startsWith("<svg ")
          .contains("Events", "</svg>");
      assertThat(Files.readString(saved(tab, "CSV, all figures").path()))
          .contains("table,Sessions,", "bytes in/s");
    }
  }

  private static Download saved(Tab tab, String format) {
    tab.button("Download").click();
    tab.find("lz-dialog [role=radio]").filter(hasText(format)).click();
    return tab.page().waitForDownload(() -> tab.find("lz-dialog footer .primary").click());
  }

  private static Locator.FilterOptions hasText(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }
}
