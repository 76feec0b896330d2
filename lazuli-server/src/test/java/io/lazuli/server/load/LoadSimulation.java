package io.lazuli.server.load;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.load.rule.Diagnosis;
import io.lazuli.server.load.rule.QueueLooks.Look;
import io.lazuli.server.load.rule.Targets;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a server whose load is collected, in simulated time. The partitions that clients write
 * exist in an engine, and the messages that they put wait in queues, so that the server finds what
 * it would find in reality. Time advances within a second too. Not thread-safe.
 */
final class LoadSimulation implements AutoCloseable {
  /** What clients do in a tenth of a second. */
  interface Work {
    void run(LoadSimulation clients);
  }

  private static final String ACCOUNT = "acme";
  private static final int SLICES = 10;
  private static final Duration LIFE = Duration.ofDays(7);

  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")));
  private final Catalog catalog = new Catalog(engine);
  private final Random random = new Random(24);
  private final Set<String> partitions = new HashSet<>();
  private final Map<String, Deque<Instant>> queues = new HashMap<>();
  private final Load load;
  // The load of a team does not begin with a minute.
  private final Instant begin = Instant.parse("2026-11-18T05:59:20Z");
  private Instant now = begin;
  private Instant sliceEnd = begin;

  LoadSimulation(Targets targets) {
    Clock clock =
        new Clock() {
          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return now;
          }
        };
    load = new Load(engine, catalog, targets, this::look, samples -> {}, () -> true, clock);
  }

  private @Nullable Look look(String account, String queue) {
    Deque<Instant> messages = queues.get(queue);
    if (messages == null || !account.equals(ACCOUNT)) {
      return null;
    }
    Instant oldest = messages.peek();
    return new Look(messages.size(), oldest, oldest, oldest == null ? null : oldest.plus(LIFE));
  }

  /** Lets clients work for a second, after which the collector has its turn. */
  void second(Work work) {
    Instant second = now;
    for (int i = 1; i <= SLICES; i++) {
      sliceEnd = second.plusMillis(1_000L * i / SLICES);
      work.run(this);
      now = sliceEnd;
    }
    load.tick();
  }

  List<Diagnosis> diagnoses() {
    return load.diagnoses(ACCOUNT);
  }

  Instant now() {
    return now;
  }

  /** Returns the seconds since the beginning. */
  long seconds() {
    return Duration.between(begin, now).toSeconds();
  }

  int random(int bound) {
    return random.nextInt(bound);
  }

  /** Returns a number below the bound. Small ones are more frequent, as customers are. */
  int skewed(int bound) {
    double x = random.nextDouble();
    return (int) (bound * x * Math.sqrt(x));
  }

  /** Returns how often something with a rate per second happens in this tenth of a second. */
  int times(double perSecond) {
    double expected = perSecond / SLICES;
    return (int) expected + (random.nextDouble() < expected - (int) expected ? 1 : 0);
  }

  /** Sends a request to the table service. */
  void table(LoadRequest request) {
    if (request.writes > 0 && request.status < 300) {
      stored(request.resource, request.partition);
    }
    request.nanos += 2_000 * request.read;
    send("table", request);
  }

  void blob(LoadRequest request) {
    send("blob", request);
  }

  void read(String table, String partition, String row) {
    table(LoadRequest.get(table, partition, row));
  }

  void insert(String table, String partition, String row) {
    table(LoadRequest.insert(table, partition, row));
  }

  void merge(String table, String partition, String row) {
    table(LoadRequest.write("MergeEntity", table, partition, row));
  }

  void put(String queue) {
    queues.computeIfAbsent(queue, name -> new ArrayDeque<>()).add(now);
    send("queue", LoadRequest.message("PutMessage", queue, 0).answered(201));
  }

  /** Takes messages and deletes them. */
  void consume(String queue, int max) {
    Deque<Instant> messages = queues.computeIfAbsent(queue, name -> new ArrayDeque<>());
    int count = Math.min(max, messages.size());
    send("queue", LoadRequest.message("GetMessages", queue, count));
    for (int i = 0; i < count; i++) {
      Instant unused = messages.remove();
      send("queue", LoadRequest.message("DeleteMessage", queue, 0).answered(204));
    }
  }

  /** Takes messages, of which some were handed out too often, and does not delete them. */
  void takeInVain(String queue, int count, int worn) {
    LoadRequest request = LoadRequest.message("GetMessages", queue, count);
    request.worn = worn;
    send("queue", request);
  }

  private void send(String service, LoadRequest request) {
    Instant next = now.plusMillis(1);
    if (next.isBefore(sliceEnd)) {
      now = next;
    }
    request.end(load.of(service));
  }

  /** Stores an entity in a partition, unless the partition has one. */
  void stored(String table, String partition) {
    if (!partitions.add(table + "/" + partition)) {
      return;
    }
    String key = table.toLowerCase(Locale.ROOT);
    ServiceHome home = ServiceHome.ofTables(ACCOUNT);
    Deadline deadline = Deadline.after(Duration.ofSeconds(10));
    if (partitions.add(table)) {
      boolean unused = Futures.await(catalog.create(home, key, table, deadline));
    }
    CatalogEntry entry = Objects.requireNonNull(Futures.await(catalog.find(home, key, deadline)));
    Bytes row = bytes("r");
    boolean unused =
        Futures.await(
            engine.transact(
                new Partition(entry.space(), bytes(partition)),
                List.of(row),
                deadline,
                view -> {
                  byte[] record = EntityCodec.encode(List.of());
                  EntityCodec.setTicks(record, view.timestamp(row));
                  view.put(row, record);
                  return true;
                }));
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    load.close();
    engine.close();
  }
}
