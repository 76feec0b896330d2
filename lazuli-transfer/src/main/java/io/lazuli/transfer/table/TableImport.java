package io.lazuli.transfer.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.format.EntityInput;
import io.lazuli.transfer.http.ServiceFailure;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Checkpoint;
import io.lazuli.transfer.progress.Json;
import io.lazuli.transfer.progress.Progress;
import io.lazuli.transfer.progress.StateFile;
import io.lazuli.transfer.progress.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Imports a file into a table. Consecutive entities of one partition become a transaction, and
 * several transactions run at the same time. A state file next to the input has the position before
 * which everything is stored. Writing an entity a second time changes nothing but its time, so a
 * killed import continues there and has the same result.
 */
public final class TableImport {
  private static final long SAVE_NANOS = 1_000_000_000L;

  private final Tables table;
  private final Path input;
  private final FileFormat format;
  private final Tables.WriteMode mode;
  private final int workers;
  private final Progress progress;
  private final StateFile state;
  private final KeysUnderWay underWay = new KeysUnderWay();

  @GuardedBy("this")
  private long savedNanos = System.nanoTime() - SAVE_NANOS;

  @GuardedBy("this")
  private long savedPosition;

  public TableImport(
      Tables table,
      Path input,
      FileFormat format,
      Tables.WriteMode mode,
      int workers,
      Progress progress)
      throws IOException {
    this.table = table;
    this.input = input;
    this.format = format;
    this.mode = mode;
    this.workers = workers;
    this.progress = progress;
    this.state =
        new StateFile(
            input.resolveSibling(input.getFileName() + ".import"),
            Map.of(
                "table", table.toString(),
                "format", format.name(),
                "mode", mode.name(),
                "bytes", Long.toString(Files.size(input))));
  }

  /** Runs or continues the import. */
  public void run() throws IOException {
    Map<String, @Nullable Object> before = state.load();
    long position = before == null ? 0 : Json.number(before.get("position"));
    long items = before == null ? 0 : Json.number(before.get("entities"));
    Checkpoint checkpoint = new Checkpoint(position, items);
    table.create();
    try (EntityInput in = format.open(input, position);
        Workers threads = new Workers(workers)) {
      progress.resume(items, position);
      progress.expect(in.end());
      try {
        read(in, threads, checkpoint);
        threads.drain();
      } finally {
        save(checkpoint);
      }
    }
    state.remove();
  }

  private void read(EntityInput in, Workers threads, Checkpoint checkpoint) throws IOException {
    Batch batch = new Batch();
    long end = in.position();
    long start = end;
    Entity entity = in.next();
    while (entity != null) {
      if (!batch.accepts(entity)) {
        submit(batch.take(), start, end, threads, checkpoint);
        start = end;
      }
      batch.add(entity);
      end = in.position();
      entity = in.next();
    }
    if (!batch.isEmpty()) {
      submit(batch.take(), start, end, threads, checkpoint);
    }
  }

  private void submit(
      List<Entity> entities, long start, long end, Workers threads, Checkpoint checkpoint) {
    List<Key> keys = entities.stream().map(Entity::key).toList();
    if (!underWay.tryAdd(keys)) {
      // The file has a key twice. The later entity must come later.
      threads.drain();
      underWay.tryAdd(keys);
    }
    long number = checkpoint.start(end, entities.size());
    threads.submit(
        () -> {
          write(entities);
          underWay.remove(keys);
          checkpoint.stored(number);
          progress.add(entities.size(), end - start);
          saveSometimes(checkpoint);
        });
  }

  private void write(List<Entity> entities) {
    try {
      table.write(entities, mode);
    } catch (ServiceFailure e) {
      Key first = entities.get(0).key();
      throw new TransferException(
          "the service refuses "
              + entities.size()
              + " entities from ('"
              + first.partition()
              + "', '"
              + first.row()
              + "') on: "
              + e.getMessage(),
          e);
    }
  }

  private synchronized void saveSometimes(Checkpoint checkpoint) {
    if (checkpoint.position() > savedPosition && System.nanoTime() - savedNanos >= SAVE_NANOS) {
      save(checkpoint);
    }
  }

  private synchronized void save(Checkpoint checkpoint) {
    savedNanos = System.nanoTime();
    savedPosition = checkpoint.position();
    try {
      state.save(Map.of("entities", checkpoint.items(), "position", checkpoint.position()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
