package io.lazuli.transfer.table;

import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.progress.Progress;
import java.util.List;
import java.util.function.Consumer;

/** Counts, copies and deletes the entities of a table. Each of these can be repeated. */
public final class TableWork {
  private static final String KEYS = "PartitionKey,RowKey";

  private final Tables table;
  private final String filter;
  private final int workers;
  private final Progress progress;

  public TableWork(Tables table, String filter, int workers, Progress progress) {
    this.table = table;
    this.filter = filter;
    this.workers = workers;
    this.progress = progress;
  }

  /** Reads the keys of all entities. */
  public long count() {
    scan(KEYS, page -> progress.add(page.size(), page.size()));
    return progress.items();
  }

  /** Writes all entities into another table, which is created if it does not exist. */
  public void copyTo(Tables target, Tables.WriteMode mode) {
    target.create();
    scan("", page -> batches(page, entities -> target.write(entities, mode)));
  }

  /** Deletes all entities. The table stays. */
  public void purge() {
    scan(
        KEYS,
        page ->
            batches(page, entities -> table.delete(entities.stream().map(Entity::key).toList())));
  }

  private void scan(String select, Consumer<List<Entity>> action) {
    ParallelScan scan = new ParallelScan(table, filter, select, List.of(), new PageList(action));
    List<Part> parts = scan.run(workers);
    if (!parts.stream().allMatch(Part::isDone)) {
      throw new IllegalStateException("the scan ended before the table");
    }
  }

  private void batches(List<Entity> page, Consumer<List<Entity>> action) {
    Batch batch = new Batch();
    for (Entity entity : page) {
      if (!batch.accepts(entity)) {
        run(batch.take(), action);
      }
      batch.add(entity);
    }
    if (!batch.isEmpty()) {
      run(batch.take(), action);
    }
  }

  private void run(List<Entity> entities, Consumer<List<Entity>> action) {
    action.accept(entities);
    progress.add(entities.size(), entities.size());
  }
}
