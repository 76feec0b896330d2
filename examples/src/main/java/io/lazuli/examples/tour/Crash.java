package io.lazuli.examples.tour;

import com.azure.core.http.policy.FixedDelayOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writers that record which of their entities were acknowledged, until their server is killed. */
final class Crash {
  private static final int WRITERS = 4;
  private static final int SECONDS_MAX = 60;

  /** One of many entities. */
  record Note(@PartitionKey String writer, @RowKey String number, String text) {}

  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private final CountDownLatch enough;
  private final List<Thread> writers;

  private Crash(Table<Note> table, int enough) {
    this.enough = new CountDownLatch(enough);
    this.writers =
        IntStream.range(0, WRITERS)
            .mapToObj(writer -> new Thread(() -> write(table, "writer" + writer), "writer"))
            .toList();
  }

  /** Starts the writers; see {@link #awaitEnough}. */
  static Crash begin(String connectionString, int enough) {
    TableAsyncClient client = client(connectionString);
    client.createTable().block();
    Crash crash = new Crash(Table.of(client, Note.class), enough);
    crash.writers.forEach(writer -> writer.setDaemon(true));
    crash.writers.forEach(Thread::start);
    return crash;
  }

  /** Returns a client without retries: the server that it uses does not return on its port. */
  private static TableAsyncClient client(String connectionString) {
    return new TableServiceClientBuilder()
        .connectionString(connectionString)
        .retryOptions(new RetryOptions(new FixedDelayOptions(0, Duration.ofMillis(1))))
        .buildAsyncClient()
        .getTableClient("Notes");
  }

  private void write(Table<Note> table, String writer) {
    try {
      for (int number = 0; ; number++) {
        Note note = new Note(writer, String.format("%06d", number), "to be kept");
        sent.add(id(note));
        table.insert(note);
        acknowledged.add(id(note));
        enough.countDown();
      }
    } catch (RuntimeException e) {
      // Ends the thread, because the server was killed. The last entity that was sent may be stored
      // or not.
      failure.set(e);
    }
  }

  private static String id(Note note) {
    return note.writer() + "/" + note.number();
  }

  /** Waits until the requested number of writes is acknowledged; the writers continue. */
  void awaitEnough() throws InterruptedException {
    if (!enough.await(SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "only " + acknowledged() + " were acknowledged", failure.get());
    }
  }

  /** Waits until the writers have noticed that the server is gone. */
  void awaitEnd() throws InterruptedException {
    for (Thread writer : writers) {
      writer.join(TimeUnit.SECONDS.toMillis(SECONDS_MAX));
    }
  }

  int acknowledged() {
    return acknowledged.size();
  }

  /** Returns the number of inserts without a response. */
  int unanswered() {
    return sent.size() - acknowledged.size();
  }

  /** Returns the entities that the server has now. */
  static Set<String> stored(String connectionString) {
    return Table.of(client(connectionString), Note.class)
        .query(Query.all())
        .map(Crash::id)
        .collect(Collectors.toSet());
  }

  /** Returns the number of acknowledged entities that are not stored. */
  int lost(Set<String> stored) {
    Set<String> missing = new HashSet<>(acknowledged);
    missing.removeAll(stored);
    return missing.size();
  }
}
