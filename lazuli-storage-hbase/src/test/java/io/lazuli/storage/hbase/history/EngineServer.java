package io.lazuli.storage.hbase.history;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import io.lazuli.storage.hbase.HBaseEngineProvider;
import io.lazuli.storage.history.History;
import io.lazuli.storage.history.Operation;
import io.lazuli.storage.history.Operation.Seen;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;

/** A server in this JVM: an engine that carries out the requests of a history. */
record EngineServer(StorageEngine engine, Store store) implements Server {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  static StorageEngine open(Path site) {
    // This engine does not use the folder.
    return new HBaseEngineProvider()
        .open(EngineConfig.of(site.resolveSibling("unused")).withEngineConfig(site));
  }

  @Override
  public Answer ask(Request request) {
    try {
      return new Answer(Operation.Outcome.ACKNOWLEDGED, carryOut(request));
    } catch (StorageException e) {
      return failed(e);
    } catch (CompletionException e) {
      if (e.getCause() instanceof StorageException failure) {
        return failed(failure);
      }
      throw e;
    }
  }

  private static Answer failed(StorageException failure) {
    return failure.kind() == StorageException.Kind.UNKNOWN_OUTCOME ? Answer.UNKNOWN : Answer.FAILED;
  }

  private List<Seen> carryOut(Request request) {
    Deadline deadline = Deadline.after(TIMEOUT);
    return switch (request.kind()) {
      case WRITE ->
          request.equals(DROP) ? drop(deadline) : List.of(write(request.target(), deadline));
      case READ -> List.of(read(request.target(), request.row(), deadline));
      case SCAN -> scan(request.target(), deadline);
    };
  }

  private List<Seen> drop(Deadline deadline) {
    return engine
        .transact(
            store.space().requireHome(),
            List.of(),
            deadline,
            view -> {
              view.drop(store.space());
              return List.<Seen>of();
            })
        .join();
  }

  private Seen write(String target, Deadline deadline) {
    List<Bytes> rows = Store.rows(target).stream().map(Store::bytes).toList();
    long number =
        engine
            .transact(store.partition(target), List.of(), deadline, view -> raise(view, rows))
            .join();
    return new Seen(target + "/0", number);
  }

  private static long raise(PartitionView view, List<Bytes> rows) {
    long number = Store.decode(Objects.requireNonNull(view.read(rows.get(0)), "no number")) + 1;
    rows.forEach(row -> view.put(row, Store.encode(number)));
    return number;
  }

  private Seen read(String target, int row, Deadline deadline) {
    String name = Store.rows(target).get(row);
    byte[] value = engine.read(store.partition(target).row(Store.bytes(name)), deadline).join();
    // Every row always exists. A missing row counts as older than everything.
    return new Seen(target + "/" + name, value == null ? -1 : Store.decode(value));
  }

  private List<Seen> scan(String target, Deadline deadline) {
    KeyRange range =
        target.equals(History.EVERYTHING)
            ? KeyRange.ALL
            : KeyRange.ofPartition(Store.bytes(target));
    List<Seen> seen = new ArrayList<>();
    engine
        .scan(
            store.space(),
            List.of(range),
            Direction.FORWARD,
            deadline,
            record -> {
              seen.add(seen(record));
              return Visit.CONTINUE;
            })
        .join();
    return seen;
  }

  private static Seen seen(LentRecord record) {
    return new Seen(
        text(record.partition()) + "/" + text(record.row()), Store.decode(record.value().copy()));
  }

  private static String text(LentBytes bytes) {
    return new String(bytes.copy(), StandardCharsets.UTF_8);
  }
}
