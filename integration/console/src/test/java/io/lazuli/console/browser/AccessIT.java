package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Tokens and keys in a real browser; the token is used on the table service. */
class AccessIT {
  @Test
  void aTokenThatTheConsoleMakesWorksWithinItsKeys() throws Exception {
    Studio studio = Studio.get();
    try (Tab tab = studio.tab()) {
      tab.open("");
      tab.ok("POST", "/tables", "{\"name\":\"Guests\"}", "");
      for (String partition : new String[] {"A", "Z"}) {
        tab.ok(
            "POST",
            "/tables/Guests/entities",
            "{\"k\":[\"" + partition + "\",\"1\"],\"v\":{\"Age\":1}}",
            "");
      }
      tab.open("/access/sas");
      tab.find("input[name=resource]").fill("Guests");
      tab.find("label:has-text('From partition key') input").fill("A");
      tab.find("label:has-text('To partition key') input").fill("B");
      tab.button("Make the token").click();
      tab.see(".words").containsText("May read entities of table ‘Guests’.");
      tab.see(".words").containsText("Only from partition ‘A’ to partition ‘B’.");
      tab.see("table.t .pill.ok").hasCount(1);
      tab.see("table.t .pill.bad").hasCount(3);
      String token = tab.find("pre.code").textContent();
      String url = studio.console().tables() + "/Guests?" + token;
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(url))
                      .header("Accept", "application/json;odata=nometadata")
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body())
          .contains("\"PartitionKey\":\"A\"")
          .doesNotContain("\"PartitionKey\":\"Z\"");
      assertThat(tab.page().url()).doesNotContain("sig");
      tab.open("/access/keys");
      tab.button("Show the keys").click();
      tab.see("pre.code >> nth=0").containsText("Eby8");
      tab.button("Hide them now").click();
      tab.see("pre.code").hasCount(0);
    }
  }
}
