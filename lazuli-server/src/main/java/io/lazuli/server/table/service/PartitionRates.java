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
 * The rate targets of partitions, in entities per second (table-rest 11). Writes and point reads
 * are charged in advance, one for each entity. A query within one partition is charged for one
 * entity in advance and, once its page is known, for the entities that it returned. Queries over
 * several partitions are not charged.
 */
public final class PartitionRates {
  private final RateTargets<Watched> targets;

  /** One partition of one table. */
  public record Watched(ServiceHome home, String table, Bytes partition) {}

  public PartitionRates(RateTargets<Watched> targets) {
    this.targets = targets;
  }

  /**
   * Charges for entities that a request names by their keys; throws 503 if the target is exceeded.
   */
  void charge(ServiceHome home, TableName table, String partitionKey, int entities) {
    if (targets.isOn()) {
      Bytes partition = Bytes.of(Utf8.encodeKey(partitionKey));
      targets.charge(new Watched(home, table.key(), partition), entities);
    }
  }

  /** Charges for a query; throws 503 if the target is exceeded. */
  void charge(ServiceHome home, TableName table, QueryPlan plan) {
    if (targets.isOn()) {
      watched(home, table, plan).ifPresent(partition -> targets.charge(partition, 1));
    }
  }

  /** Charges for the entities that a query returned, except the one that was charged in advance. */
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
