package io.lazuli.server.table.service;

import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.server.table.service.TableOutcome.EntityPage;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.Bytes;
import java.util.Optional;

/**
 * The target of entities per second of each partition (table-rest.md 11). Writes and point reads
 * count before they are done, one for each entity. A query within one partition counts as one
 * entity before and, once its page is known, as those that it gave back. Queries over several
 * partitions are no partition's.
 */
public final class PartitionRates {
  private final RateTargets<Watched> targets;

  /** One partition of one table. */
  public record Watched(ServiceHome home, String table, Bytes partition) {}

  public PartitionRates(RateTargets<Watched> targets) {
    this.targets = targets;
  }

  /** Passes, or throws 503, for entities named by their keys. */
  void charge(ServiceHome home, TableName table, String partitionKey, int entities) {
    if (targets.isOn()) {
      Bytes partition = Bytes.of(Utf8.encodeKey(partitionKey));
      targets.charge(new Watched(home, table.key(), partition), entities);
    }
  }

  /** Passes, or throws 503, for a query. */
  void charge(ServiceHome home, TableName table, QueryPlan plan) {
    if (targets.isOn()) {
      watched(home, table, plan).ifPresent(partition -> targets.charge(partition, 1));
    }
  }

  /** Counts what a query gave back, beyond the one that was charged. */
  void spend(ServiceHome home, TableName table, QueryPlan plan, EntityPage page) {
    if (targets.isOn()) {
      watched(home, table, plan)
          .ifPresent(partition -> targets.spend(partition, page.entities().size() - 1));
    }
  }

  private static Optional<Watched> watched(ServiceHome home, TableName table, QueryPlan plan) {
    return plan.onlyPartition().map(partition -> new Watched(home, table.key(), partition));
  }
}
