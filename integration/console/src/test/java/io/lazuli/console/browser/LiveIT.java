package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Requests as they end, the stream of them, and why one was refused. */
class LiveIT {
  private final Studio studio = Studio.get();

  /** Sends a request with a wrong signature. Returns its id. */
  private String refused(String table) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(studio.console().tables() + "/" + table + "()"))
            .header("x-ms-version", "2019-02-02")
            .header("x-ms-date", "Wed, 18 Nov 2020 06:00:00 GMT")
            .header(
                "Authorization", "SharedKey " + PackedConsole.ACCOUNT + ":QUJDREVGR0hJSktMTU5PUA==")
            .build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(403);
    return answer.headers().firstValue("x-ms-request-id").orElseThrow();
  }

  @Test
  void aRefusedRequestAppearsByItselfAndIsExplained() throws Exception {
    try (Tab tab = studio.tab()) {
      tab.open("/live?status=errors");
      tab.see(".vhead .pill").hasText("connected");
      String id = refused("Nightly");
      tab.see("tbody.live tr:first-child").containsText("Nightly");
      tab.find("h1").click();
      tab.keys("e");
      tab.page().waitForURL("**/live/" + id + "*");
      tab.see("aside .note.bad").isVisible();
      tab.see("aside table").containsText("Date");
      assertThat(tab.find("aside").textContent()).doesNotContain("QUJDREVGR0");
      tab.page()
          .screenshot(
              new Page.ScreenshotOptions().setPath(Path.of("target/pictures/tour-live.png")));
      tab.find("aside [role=tab]").last().click();
      tab.see("aside").containsText(id);
      tab.see("aside").containsText("AuthenticationFailed");
      tab.find("aside header button").last().click();
      assertThat(tab.page().url()).doesNotContain(id);

      tab.keys("p");
      tab.button("Go on").waitFor();
      String unseen = refused("Unseen");
      tab.see(".bar .badge").containsText("new");
      tab.see("tbody.live tr:first-child").containsText("Nightly");
      tab.keys("p");
      tab.see("tbody.live tr:first-child").containsText("Unseen");

      tab.find("input[data-filter]").fill("nightly");
      tab.see("tbody.live tr:first-child").containsText("Nightly");
      tab.find(".content lz-tabs button").last().click();
      tab.see("table.t tbody").containsText("AuthenticationFailed");
      tab.find("table.t tbody a[href$='" + unseen + "']").click();
      tab.see("aside h2").hasText("GET 403");
    }
  }
}
