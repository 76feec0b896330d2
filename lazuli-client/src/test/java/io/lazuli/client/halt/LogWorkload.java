package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.fault.TestClient;
import io.lazuli.client.halt.Journal.Attempt;
import io.lazuli.client.halt.Journal.End;
import io.lazuli.client.pattern.log.AsyncLogReader;
import io.lazuli.client.pattern.log.AsyncLogWriter;
import io.lazuli.client.pattern.log.LogEntry;
import io.lazuli.client.pattern.log.LogOptions;
import io.lazuli.client.pattern.log.LogWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Logs without a buffer, in blobs of three blocks. */
record LogWorkload(World world) implements Workload {
  @Override
  public Actor actor(TestClient client, Journal journal) {
    LogOptions small = LogOptions.atOnce().withBlobMax(1 << 20, 3);
    LogWriter log = AsyncLogWriter.of(client.container(world.container()), "app", small).blocking();
    return random -> {
      String text = Long.toHexString(random.nextLong());
      journal.attempt("append " + text, () -> log.append(text));
    };
  }

  @Override
  public void check(TestClient live, History history) {
    List<String> stored = stored(live);
    assertThat(stored).doesNotHaveDuplicates();
    assertThat(stored).containsAll(history.words("append", End.DONE));
    assertThat(history.words("append", End.DONE, End.OPEN)).containsAll(stored);
    for (List<Attempt> process : history.processes()) {
      List<String> done =
          process.stream()
              .filter(attempt -> attempt.end() == End.DONE)
              .map(attempt -> attempt.word(1))
              .toList();
      assertThat(stored.stream().filter(done::contains))
          .as("the order of one process")
          .containsExactlyElementsOf(done);
    }
  }

  private List<String> stored(TestClient live) {
    Instant now = Instant.now();
    try (Stream<LogEntry> entries =
        AsyncLogReader.of(live.container(world.container()), "app")
            .blocking()
            .read(now.minus(Duration.ofHours(3)), now.plus(Duration.ofHours(3)))) {
      return entries.map(LogEntry::text).toList();
    }
  }
}
