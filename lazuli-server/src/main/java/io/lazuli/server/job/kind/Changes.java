package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobFailure;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.StoredEntity;
import io.lazuli.server.table.service.TableOutcome;
import io.lazuli.server.table.service.TableOutcome.Refused;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Applies a change to the entities of a page: transactions of up to 100 entities of one partition.
 * If one was changed in between, the entities of its transaction are read and written one by one.
 */
final class Changes {
  private static final int TRANSACTION_MAX = 100;
  private static final int ATTEMPTS_MAX = 10;

  /**
   * What became of a page.
   *
   * @param same the entities that were as wanted
   * @param moved those that were gone or did not match any more when their turn came
   */
  record Count(long changed, long same, long moved) {
    Count plus(Count other) {
      return new Count(changed + other.changed, same + other.same, moved + other.moved);
    }
  }

  private final Tables tables;
  private final JobRun run;
  private final Change change;

  Changes(Tables tables, JobRun run, Change change) {
    this.tables = tables;
    this.run = run;
    this.change = change;
  }

  Count apply(List<StoredEntity> entities) {
    Count all = new Count(0, 0, 0);
    int from = 0;
    while (from < entities.size()) {
      int to = from + 1;
      while (to < entities.size()
          && to - from < TRANSACTION_MAX
          && Arrays.equals(entities.get(from).partition(), entities.get(to).partition())) {
        to++;
      }
      all = all.plus(together(entities.subList(from, to)));
      from = to;
    }
    return all;
  }

  private Count together(List<StoredEntity> entities) {
    List<EntityWrite> writes = new ArrayList<>();
    for (StoredEntity entity : entities) {
      EntityWrite write = change.write(entity);
      if (write != null) {
        writes.add(write);
      }
    }
    if (writes.isEmpty()) {
      return new Count(0, entities.size(), 0);
    }
    if (tables.write(run.account(), Tables.table(run), writes) instanceof Refused) {
      Count all = new Count(0, 0, 0);
      for (StoredEntity entity : entities) {
        all = all.plus(alone(entity));
      }
      return all;
    }
    return new Count(writes.size(), entities.size() - writes.size(), 0);
  }

  private Count alone(StoredEntity first) {
    EntityKey key = Tables.key(first);
    StoredEntity entity = first;
    for (int attempt = 0; attempt < ATTEMPTS_MAX && entity != null; attempt++) {
      EntityWrite write = change.write(entity);
      if (write == null) {
        return new Count(0, 1, 0);
      }
      TableOutcome outcome = tables.write(run.account(), Tables.table(run), List.of(write));
      if (!(outcome instanceof Refused refused)) {
        return new Count(1, 0, 0);
      }
      int status = refused.reason().error().status();
      if (status != 412 && status != 404) {
        throw new JobFailure(
            "The entity %s / %s was refused: %s"
                .formatted(key.partitionKey(), key.rowKey(), refused.reason().text()));
      }
      entity = tables.again(run, key);
    }
    if (entity != null) {
      throw new JobFailure(
          "The entity %s / %s changes faster than the job can follow."
              .formatted(key.partitionKey(), key.rowKey()));
    }
    return new Count(0, 0, 1);
  }
}
