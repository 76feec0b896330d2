package io.lazuli.server.console;

import static io.lazuli.server.console.ConsoleTablesTest.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.ConsoleClient;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The routes about queues and messages. */
class ConsoleQueuesTest {
  private static ConsoleClient console;

  @BeforeAll
  static void start() {
    console = new ConsoleClient();
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  private static void create(String queue) {
    assertThat(console.admin("POST", "/queues", "{\"name\":\"" + queue + "\"}").status())
        .isEqualTo(201);
  }

  private static String put(String queue, String body, int hidden) {
    Answer answer =
        console.admin(
            "POST",
            "/queues/" + queue + "/messages",
            "{\"body\":\"" + body + "\",\"hiddenSeconds\":" + hidden + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return field(answer, "id");
  }

  @Test
  void allMessagesAreShownAndNoneIsTaken() throws IOException {
    create("all-messages");
    put("all-messages", "one", 0);
    put("all-messages", "two", 0);
    put("all-messages", "later", 3600);
    Answer all = console.admin("GET", "/queues/all-messages/messages", "");
    assertThat(all.body())
        .contains(
            "\"counts\":{\"visible\":{\"n\":2,\"exact\":true},\"hidden\":{\"n\":1,\"exact\":true},"
                + "\"expired\":{\"n\":0,\"exact\":true}}",
            "\"body\":\"one\"",
            "\"body\":\"later\"",
            "\"state\":\"hidden\"",
            "\"next\":null");
    assertThat(console.admin("GET", "/queues/all-messages/messages?state=hidden", "").body())
        .contains("later")
        .doesNotContain("\"body\":\"one\"");
    assertThat(console.admin("GET", "/queues/all-messages/messages?state=visible", "").body())
        .doesNotContain("later");
    try (WireServer queues = WireServer.onQueues(console.server())) {
      assertThat(queues.owner("GET", "/all-messages/messages", "").body())
          .contains("<DequeueCount>1</DequeueCount>");
    }
    assertThat(console.admin("GET", "/queues?prefix=all-", "").body())
        .contains("{\"name\":\"all-messages\",\"messages\":{\"n\":3,\"exact\":true}}");
  }

  @Test
  void aSearchGoesPageByPage() {
    create("search");
    for (int i = 0; i < 30; i++) {
      put("search", i % 10 == 7 ? "needle " + i : "hay", 0);
    }
    Answer first = console.admin("GET", "/queues/search/messages?contains=needle&limit=2", "");
    assertThat(first.body()).contains("needle 7", "needle 17").doesNotContain("needle 27");
    String next = field(first, "next");
    Answer second =
        console.admin("GET", "/queues/search/messages?contains=needle&limit=2&after=" + next, "");
    assertThat(second.body()).contains("needle 27", "\"counts\":null", "\"next\":null");
    assertThat(
            console.admin("GET", "/queues/search/messages?contains=hay&after=" + next, "").body())
        .contains("InvalidToken");
  }

  @Test
  void aMessageIsShownDeletedAndMadeVisible() {
    create("single");
    String id = put("single", "hidden one", 3600);
    assertThat(console.admin("GET", "/queues/single/message?id=" + id, "").body())
        .contains("\"state\":\"hidden\"", "hidden one");
    assertThat(console.admin("POST", "/queues/single/message/visible?id=" + id, "").body())
        .contains("\"state\":\"visible\"", "\"taken\":0");
    assertThat(console.admin("DELETE", "/queues/single/message?id=" + id, "").status())
        .isEqualTo(204);
    for (String bad : List.of(id, "x", "%3Cb%3E", "1-1-1-1-1")) {
      assertThat(console.admin("GET", "/queues/single/message?id=" + bad, "").status())
          .as(bad)
          .isEqualTo(404);
    }
  }

  @Test
  void aPoisonQueueIsRequeuedAndPurged() {
    create("work");
    create("work-poison");
    for (int i = 0; i < 3; i++) {
      put("work-poison", "bad " + i, 0);
    }
    assertThat(console.admin("POST", "/queues/work-poison/requeue", "{\"to\":\"work\"}").body())
        .isEqualTo("{\"moved\":3,\"left\":false}");
    assertThat(console.admin("GET", "/queues/work/messages", "").body())
        .contains("bad 0", "bad 1", "bad 2");
    assertThat(console.admin("POST", "/queues/work/purge", "{\"name\":\"other\"}").status())
        .isEqualTo(400);
    assertThat(console.admin("POST", "/queues/work/purge", "{\"name\":\"work\"}").status())
        .isEqualTo(204);
    assertThat(console.admin("GET", "/queues/work/messages", "").body()).contains("\"rows\":[]");
    assertThat(console.admin("POST", "/queues/work/requeue", "{\"to\":\"no-such\"}").status())
        .isEqualTo(200);
  }

  @Test
  void wrongNamesAndStatesAreRefused() {
    assertThat(console.admin("GET", "/queues/missing/messages", "").body())
        .contains("QueueNotFound");
    create("states");
    assertThat(console.admin("GET", "/queues/states/messages?state=odd", "").status())
        .isEqualTo(400);
    assertThat(console.admin("POST", "/queues", "{\"name\":\"<b>\"}").status()).isEqualTo(400);
    assertThat(
            console
                .admin(
                    "POST", "/queues/states/messages", "{\"body\":\"" + "x".repeat(70_000) + "\"}")
                .status())
        .isEqualTo(400);
  }
}
