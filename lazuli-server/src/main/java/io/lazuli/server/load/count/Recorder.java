package io.lazuli.server.load.count;

import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.RequestSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts every request of a client in the range of its key, and picks some for a closer look. It
 * runs on event loops: it takes no lock, makes no text, and makes an object only for a request that
 * is picked. Thread-safe.
 */
public final class Recorder {
  /** The requests that are picked in a second, queries and others. */
  static final int SAMPLES_MAX = 1_024;

  static final int QUERY_SAMPLES_MAX = 512;

  private static final int BUSY = 503;
  private static final int CONFLICT = 412;
  private static final int FIRST_ERROR = 400;

  private final LongSupplier millis;
  private final Map<OperationType, OperationClass> classes = new ConcurrentHashMap<>();
  private final AtomicInteger threads = new AtomicInteger();
  private final ThreadLocal<Integer> thread = ThreadLocal.withInitial(threads::getAndIncrement);
  private final Samples samples = new Samples(SAMPLES_MAX);
  private final Samples queries = new Samples(QUERY_SAMPLES_MAX);
  private volatile Generation generation = new Generation(List.of());

  public Recorder(LongSupplier millis) {
    this.millis = millis;
  }

  /**
   * Counts the requests to a service.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  public RequestListener of(String service) {
    return (event, source) -> record(service, event, source);
  }

  /** Returns the generation that counts now, and lets another one count from now on. */
  public Generation replace(Generation next) {
    Generation last = generation;
    generation = next;
    return last;
  }

  /** Returns the requests that were picked since the last call. */
  public List<Sample> samples() {
    List<Sample> all = new ArrayList<>(samples.take());
    all.addAll(queries.take());
    return all;
  }

  private void record(String service, RequestEvent event, RequestSource source) {
    KeyUse keys = event.keys();
    int status = event.status();
    if (keys == null && status != BUSY) {
      return;
    }
    Generation now = generation;
    OperationClass operations = operations(event, source);
    boolean isKnown = status < FIRST_ERROR || status == CONFLICT;
    String name = keys == null ? "" : keys.resource();
    SpaceRanges space = now.find(event.account(), service, name, isKnown && keys != null);
    int range = keys == null ? 0 : space.range(keys.partition());
    Generation.Cell cell = now.cell(thread.get(), space, range);
    count(cell, operations, keys, event);
    if (keys != null && space.name().name().length() > 0) {
      Samples picked = keys.query() == null ? samples : queries;
      int weight = picked.pick();
      if (weight > 0) {
        picked.add(
            new Sample(
                space,
                range,
                operations,
                event,
                keys,
                source.peerAddress(),
                millis.getAsLong(),
                weight));
      }
    }
  }

  private OperationClass operations(RequestEvent event, RequestSource source) {
    OperationType known = event.operation();
    OperationType type = known == null ? source.operationByLine() : known;
    OperationClass operations = classes.get(type);
    return operations == null ? classes.computeIfAbsent(type, OperationClass::of) : operations;
  }

  private static void count(
      Generation.Cell cell, OperationClass operations, @Nullable KeyUse keys, RequestEvent event) {
    int status = event.status();
    boolean isDone = status < FIRST_ERROR;
    boolean isScan = isScan(event);
    cell.inRange(operations.isRead() ? Tally.READS : Tally.WRITES, 1);
    cell.inSpace(Tally.of(operations), 1);
    cell.inSpace(Tally.MICROS, event.transfer().serverNanos() / 1_000);
    cell.inRange(Tally.BYTES_OUT, event.transfer().bytesOut());
    cell.inRange(Tally.BYTES_IN, event.transfer().bytesIn());
    if (isScan) {
      cell.inRange(Tally.SCANS, 1);
      cell.inSpace(Tally.SCAN_RUNS, 1);
      cell.inSpace(Tally.SCAN_MICROS, event.transfer().serverNanos() / 1_000);
      cell.inSpace(Tally.SCAN_READ, event.entitiesRead());
      cell.inSpace(Tally.SCAN_RETURNED, event.entitiesReturned());
    }
    if (isDone && operations.isRead()) {
      boolean isOne = operations == OperationClass.READ;
      cell.inRange(Tally.ENTITIES_READ, isOne ? 1 : event.entitiesRead());
    } else if (isDone && keys != null) {
      countWrites(cell, operations, keys, event.entitiesReturned());
    } else if (status == BUSY || status == CONFLICT) {
      cell.inRange(Tally.REFUSED, 1);
      cell.inSpace(status == BUSY ? Tally.BUSY : Tally.CONFLICTS, 1);
    }
  }

  private static void countWrites(
      Generation.Cell cell, OperationClass operations, KeyUse keys, long returned) {
    cell.inRange(
        Tally.ENTITIES_WRITTEN,
        operations == OperationClass.TAKE ? returned : Math.max(1, keys.writes()));
    cell.inSpace(Tally.BATCH_OPERATIONS, operations == OperationClass.BATCH ? keys.writes() : 0);
    cell.inSpace(Tally.INSERTS, keys.inserts());
    cell.inSpace(Tally.TAKEN, operations == OperationClass.TAKE ? returned : 0);
    cell.inSpace(Tally.WORN, keys.worn());
  }

  private static boolean isScan(RequestEvent event) {
    return event.planKind().endsWith("scan");
  }
}
