package io.lazuli.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.ConsoleClient;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The route about costs, through the admin port. */
@Timeout(60)
class ConsoleCostTest {
  private static final String COST = "/api/v1/accounts/" + ConsoleClient.ACCOUNT + "/cost";

  private final ConsoleClient console = new ConsoleClient();

  @AfterEach
  void close() {
    console.close();
  }

  @Test
  void whatIsStoredIsMeasuredSoonAfterSomebodyAsked() {
    console.admin("POST", "/tables", "{\"name\":\"Staff\"}");
    console.admin("POST", "/tables/Staff/entities", "{\"k\":[\"p\",\"r\"],\"v\":{\"Age\":46}}");
    console.admin("POST", "/queues", "{\"name\":\"jobs\"}");
    console.admin("POST", "/queues/jobs/messages", "{\"body\":\"hello\"}");
    console.admin("POST", "/containers", "{\"name\":\"pictures\"}");
    console.admin("PUT", "/containers/pictures/content?blob=a.txt", "0123456789");
    Answer answer = console.as(Role.READER, "GET", COST, "");
    while (answer.body().contains("\"at\":null")) {
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).contains("\"running\":true");
      Thread.onSpinWait();
      answer = console.as(Role.READER, "GET", COST, "");
    }
    assertThat(answer.body())
        .contains(
            "\"columnSeconds\":86400,\"columns\":31",
            "\"counted\":{\"since\":null,\"until\":null,\"complete\":true},\"rows\":[]",
            "{\"service\":\"blob\",\"space\":\"pictures\",\"items\":1,\"bytes\":10,",
            "{\"service\":\"queue\",\"space\":\"jobs\",\"items\":1,\"bytes\":17,",
            // 4, keys 2 + 2, the property 8 + 6 + 4.
            "{\"service\":\"table\",\"space\":\"Staff\",\"items\":1,\"bytes\":26,")
        .endsWith("\"running\":false}}");
  }

  @Test
  void theSummaryHasTheTimesOfRequestsAndWhatIsStored() throws IOException {
    console.admin("POST", "/containers", "{\"name\":\"pictures\"}");
    console.admin("PUT", "/containers/pictures/content?blob=a.txt", "0123456789");
    assertThat(console.admin("GET", "/summary", "").body()).contains("\"millis99\":null");
    String summary = "";
    try (RawConnection client = new RawConnection(console.server().blobPort())) {
      // Rates are measured once a second.
      while (!summary.contains("\"stored\":{\"n\":10,") || summary.contains("\"millis99\":null")) {
        client.ask(
            "GET /" + ConsoleClient.ACCOUNT + "?comp=list HTTP/1.1\r\nHost: localhost\r\n\r\n");
        summary = console.admin("GET", "/summary", "").body();
      }
    }
    assertThat(summary).containsPattern("\"millis99\":[0-9]+\\.[0-9]");
  }

  @Test
  void anImpossibleWindowIsRefused() {
    for (String wrong :
        new String[] {
          "step=week",
          "from=yesterday",
          "from=2026-11-18T00:00:00Z&to=2026-11-18T00:00:00Z",
          "from=2026-11-18T00:00:00Z&to=2026-11-17T00:00:00Z",
          "from=2025-01-01T00:00:00Z&to=2026-11-17T00:00:00Z",
          "from=2026-11-01T00:00:00Z&to=2026-11-18T00:00:00Z&step=hour",
          "from=-1000000000-01-01T00:00:00Z&to=%2B1000000000-12-31T23:59:59Z"
        }) {
      assertThat(console.as(Role.READER, "GET", COST + "?" + wrong, "").status())
          .as(wrong)
          .isEqualTo(400);
    }
    Answer hours =
        console.as(
            Role.READER,
            "GET",
            COST + "?step=hour&from=2026-11-17T10:20:00Z&to=2026-11-18T10:00:00Z",
            "");
    assertThat(hours.body()).contains("\"from\":\"2026-11-17T10:00:00Z\"", "\"columns\":24");
    assertThat(console.raw("GET", COST, "", "X-Lazuli-Console: 1").status()).isEqualTo(401);
  }
}
