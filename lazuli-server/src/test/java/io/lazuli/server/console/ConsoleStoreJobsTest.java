package io.lazuli.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.ConsoleClient;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs about the whole store, and jobs that a restart cuts off, on the default engine. */
class ConsoleStoreJobsTest {
  @TempDir private Path folder;

  private ServerConfig.Builder config() {
    return ServerConfig.builder()
        .dataFolder(folder.resolve("data"))
        .backup(plan -> plan.withTarget(folder.resolve("backups").toString()));
  }

  private static String order(ConsoleClient console, String body) {
    Answer answer = console.admin("POST", "/jobs", body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    return answer.body().replaceAll(".*?\"id\":\"(\\w+)\".*", "$1");
  }

  private static String find(ConsoleClient console, String id) {
    return console.admin("GET", "/jobs/" + id, "").body();
  }

  private static String awaitDone(ConsoleClient console, String id) {
    await()
        .until(
            () -> {
              String job = find(console, id);
              assertThat(job).doesNotContain("\"state\":\"failed\"");
              return job.contains("\"state\":\"done\"");
            });
    return find(console, id);
  }

  @Test
  void backupsAndVerificationsAreJobs() {
    try (ConsoleClient console = new ConsoleClient(config())) {
      console.admin("POST", "/tables", "{\"name\":\"Some\"}");
      assertThat(awaitDone(console, order(console, "{\"kind\":\"backup\"}")))
          .contains("\"unit\":\"bytes\"", "were copied.");
      assertThat(Files.isDirectory(folder.resolve("backups"))).isTrue();
      assertThat(awaitDone(console, order(console, "{\"kind\":\"verify\"}")))
          .contains("Nothing is damaged.");
    }
  }

  @Test
  void aSlowDeleteGoesOnAfterARestart() {
    String id;
    try (ConsoleClient console = new ConsoleClient(config())) {
      console.admin("POST", "/tables", "{\"name\":\"Slow\"}");
      for (String partition : new String[] {"a", "b"}) {
        StringBuilder changes = new StringBuilder();
        for (int i = 0; i < 100; i++) {
          changes
              .append(i == 0 ? "" : ",")
              .append(
                  "{\"op\":\"insert\",\"k\":[\"%s\",\"%03d\"],\"v\":{}}".formatted(partition, i));
        }
        console.admin("POST", "/tables/Slow/transaction", "{\"changes\":[" + changes + "]}");
      }
      id =
          order(
              console,
              "{\"kind\":\"delete\",\"table\":\"Slow\",\"filter\":\"PartitionKey eq 'a'\","
                  + "\"ask\":false,\"rate\":30}");
      await().until(() -> find(console, id).contains("\"done\":30"));
    }
    try (ConsoleClient console = new ConsoleClient(config())) {
      assertThat(awaitDone(console, id)).contains("\"message\":\"100 entities were deleted.\"");
      assertThat(awaitDone(console, order(console, "{\"kind\":\"count\",\"table\":\"Slow\"}")))
          .contains("100 entities in 1 partition,");
    }
  }
}
