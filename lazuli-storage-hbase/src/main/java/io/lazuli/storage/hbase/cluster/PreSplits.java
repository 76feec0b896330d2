package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RangeSplit;
import io.lazuli.storage.hbase.balance.BalanceJournal.Ending;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.Node;
import io.lazuli.storage.hbase.balance.PreSplitPlan;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.call.RequestSamples;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.keys.KeyCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Divides ranges for an operator, before load comes. Each call makes one step; the operator's
 * command calls until nothing is left, so that it may be repeated after any failure. Every server
 * can do so: HBase refuses what two servers ask of the same region. Has a thread of its own.
 */
public final class PreSplits implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PreSplits.class);

  private final RecurringTasks tasks = new RecurringTasks("presplit");
  private final RegionAdmin regions;
  private final BalanceRows rows;
  private final KeyNames names;

  public PreSplits(RegionAdmin regions, BalanceRows rows, KeyNames names) {
    this.regions = regions;
    this.rows = rows;
    this.names = names;
  }

  /**
   * Makes the next step towards ranges that begin with each of the partitions.
   *
   * @param at not empty; all of one space
   */
  public CompletableFuture<RangeSplit> step(List<Partition> at) {
    return tasks.ask(() -> makeStep(at), "the ranges could not be split");
  }

  private RangeSplit makeStep(List<Partition> at) {
    Set<Bytes> wanted = new TreeSet<>();
    at.forEach(partition -> wanted.add(start(partition)));
    String table = RequestSamples.shortName(StoreTable.of(at.get(0).space().number()));
    RegionAdmin.Snapshot snapshot = regions.snapshot();
    List<RegionSample> all =
        snapshot.regions().stream().filter(region -> region.table().equals(table)).toList();
    List<String> nodes = snapshot.nodes().stream().filter(Node::answers).map(Node::name).toList();
    PreSplitPlan plan = PreSplitPlan.of(all, wanted, nodes);
    List<BalanceStep> steps = new ArrayList<>(plan.splits());
    steps.addAll(plan.moves());
    rows.keep(wanted);
    String problem = "";
    List<Optional<String>> failures = regions.carryOut(steps);
    int done = 0;
    for (int i = 0; i < steps.size(); i++) {
      problem = failures.get(i).orElse(problem);
      done += failures.get(i).isEmpty() ? 1 : 0;
      note(steps.get(i), failures.get(i));
    }
    int made = wanted.size() - plan.missing() + (plan.splits().isEmpty() ? 0 : done);
    return new RangeSplit(made, plan.waiting(), plan.nodes(), problem);
  }

  private void note(BalanceStep step, Optional<String> failure) {
    String what = step.what(names.of(step.keys()));
    String outcome = failure.map(reason -> "failed: " + reason).orElse("done");
    log.info("{}, because {}: {}", what, step.why(), outcome);
    if (failure.isEmpty()) {
      rows.note(step, what, Ending.ORDERED, outcome);
    }
  }

  /** Returns the first key of a partition, at which a region may begin. */
  private static Bytes start(Partition partition) {
    byte[] key = KeyCodec.encode(partition.row(Bytes.EMPTY));
    return Bytes.of(Arrays.copyOf(key, key.length - 1));
  }

  @Override
  public void close() {
    tasks.end();
  }
}
