package io.lazuli.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.FilePayload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queues and containers in a real browser on the packed server. */
class MessagesAndBlobsIT {
  private static final int LARGE = 9 << 20;

  private static Studio studio;

  @BeforeAll
  static void seed() {
    studio = Studio.get();
    try (Tab tab = studio.tab()) {
      tab.open("");
      for (String queue : new String[] {"orders", "orders-poison"}) {
        tab.ok("POST", "/queues", "{\"name\":\"" + queue + "\"}", "");
      }
      for (int i = 0; i < 12; i++) {
        String message = "{\"body\":\"{\\\"order\\\":%d}\",\"hiddenSeconds\":%d,\"ttlSeconds\":%d}";
        tab.ok(
            "POST",
            "/queues/orders/messages",
            message.formatted(1000 + i, i % 3 == 0 ? 3600 : 0, 7200),
            "");
        tab.ok("POST", "/queues/orders-poison/messages", message.formatted(2000 + i, 0, 7200), "");
      }
      tab.ok("POST", "/containers", "{\"name\":\"photos\"}", "");
    }
  }

  @Test
  void allMessagesAreSeenMovedAndPurged() {
    try (Tab tab = studio.tab()) {
      tab.open("/queues/orders");
      tab.see(".bar .btn:has-text('Hidden') .badge").hasText("4");
      tab.see(".bar .btn:has-text('All') .badge").hasText("12");
      tab.find(".bar .btn:has-text('Hidden')").click();
      tab.page().waitForURL("**/orders?state=hidden");
      tab.see("lz-grid .r0:not(.wait)").hasCount(4);
      tab.find("lz-grid .r0 >> nth=0").click();
      tab.see("aside pre").containsText("\"order\": 1000");
      tab.see("aside dl").containsText("0 times");
      tab.find(".bar .btn:has-text('All')").click();
      tab.find("input[type=search]").fill("1007");
      tab.see("lz-grid .r0:not(.wait)").hasCount(1);
      tab.open("/queues/orders-poison");
      tab.button("Requeue").click();
      tab.see("[role=dialog] input").hasValue("orders");
      tab.find("[role=dialog] footer .primary").click();
      tab.see(".toast").containsText("12 messages were moved");
      tab.open("/queues/orders");
      tab.see(".bar .btn:has-text('All') .badge").hasText("24");
      tab.button("Purge").click();
      tab.see("[role=dialog] footer .danger").isDisabled();
      tab.find("[role=dialog] input").fill("orders");
      tab.find("[role=dialog] footer .danger").click();
      tab.see(".cover").containsText("No messages");
    }
  }

  @Test
  void blobsAreUploadedPreviewedAndNeverRun() {
    byte[] large = new byte[LARGE];
    Arrays.fill(large, (byte) 7);
    // A name that is new has no blocks yet, which the server answers with 404; the second upload of
    // a name is 409.
    try (Tab tab = studio.tab().allow("status of 40[49]")) {
      tab.open("/blobs/photos/2026/11");
      tab.find(".acts input[type=file]")
          .setInputFiles(
              new FilePayload[] {
                file("page.html", "text/html", "<script>document.title='ran'</script>"),
                file("a.json", "application/json", "{\"big\":9007199254740993}"),
                new FilePayload("large.bin", "application/octet-stream", large)
              });
      tab.see(".toast").containsText("3 blobs were uploaded");
      tab.see("lz-grid").containsText("9.0 MiB");
      tab.find("lz-grid .r0:has-text('page.html')").click();
      tab.see("aside pre").containsText("<script>");
      assertThat(tab.page().title()).doesNotContain("ran");
      tab.find("lz-grid .r0:has-text('a.json')").click();
      tab.see("aside pre").containsText("9007199254740993");
      tab.find(".acts input[type=file]").setInputFiles(file("a.json", "application/json", "{}"));
      tab.see("[role=dialog] h2").containsText("already");
      tab.find("[role=dialog] footer .danger").click();
      tab.see(".toast:has-text('1 blob was uploaded')").isVisible();
      tab.find(".crumbs a:has-text('photos') >> nth=-1").click();
      tab.see("lz-grid a:has-text('2026/')").isVisible();
    }
  }

  private static FilePayload file(String name, String type, String text) {
    return new FilePayload(name, type, text.getBytes(StandardCharsets.UTF_8));
  }
}
