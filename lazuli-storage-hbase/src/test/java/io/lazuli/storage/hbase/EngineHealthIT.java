package io.lazuli.storage.hbase;

import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.metrics.Histogram;
import io.lazuli.storage.metrics.MetricVisitor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of a cluster as operators see it. */
class EngineHealthIT {
  @Test
  void theStateReportsWaitingTransactionsAndConflicts(@TempDir Path folder) {
    HBaseEngine engine =
        HBaseEngine.open(
            EngineConfig.of(folder),
            TestCluster.shared().site(),
            TestCluster.SETTINGS.withTransactions(2));
    try (engine) {
      EngineState state = engine.state();
      assertThat(state.writable()).isTrue();
      assertThat(state.detail()).matches("HBase, 0 transactions wait, \\d+ conflicts so far");
      assertThat(state.fault()).isEmpty();
    }
    assertThat(engine.state()).isEqualTo(new EngineState(false, "closed"));
  }

  /** docs/metrics.md names them. */
  @Test
  void theMetricsOfAClusterHaveValues(@TempDir Path folder) {
    EngineConfig config = EngineConfig.of(folder);
    try (HBaseEngine engine =
            HBaseEngine.open(config, TestCluster.shared().site(), TestCluster.SETTINGS);
        HBaseEngine rival =
            HBaseEngine.open(config, TestCluster.shared().site(), TestCluster.SETTINGS)) {
      Space space =
          new Space(
              EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)),
              EngineFixture.HOME);
      Map<String, Double> found = new TreeMap<>();
      // Another server changes the row between its reading and the commit, so there is a conflict.
      AtomicBoolean changed = new AtomicBoolean();
      EngineFixture.await(
          engine.transact(
              new Partition(space, bytes("p")),
              List.of(),
              Deadline.NEVER,
              view -> {
                byte[] old = view.read(bytes("r"));
                if (changed.compareAndSet(false, true)) {
                  put(rival, space);
                }
                view.put(bytes("r"), new byte[old == null ? 1 : 2]);
                return true;
              }));
      engine.metrics(new Shown(found));
      String server =
          found.keySet().stream()
              .filter(name -> name.startsWith("lazuli_hbase_call_seconds["))
              .map(name -> name.substring(name.indexOf('[')))
              .findFirst()
              .orElseThrow();
      assertThat(server).matches("\\[server, .+\\]");
      assertThat(found)
          .containsKeys(
              "lazuli_hbase_call_failures" + server,
              "lazuli_hbase_retries[]",
              "lazuli_reclaim_waiting[]",
              "lazuli_damage_found[kind, chunk]")
          .containsEntry("lazuli_hbase_calls_waiting" + server, 0.0)
          .containsEntry("lazuli_hbase_calls_refused" + server, 0.0)
          .containsEntry("lazuli_hbase_calls_limit" + server, 128.0)
          .containsEntry("lazuli_hbase_transactions_waiting[]", 0.0)
          .containsEntry("lazuli_hbase_unknown_outcomes[]", 0.0);
      assertThat(found.get("lazuli_hbase_call_seconds" + server)).isPositive();
      assertThat(found.get("lazuli_hbase_conflicts[]")).isPositive();
    }
  }

  private static void put(HBaseEngine rival, Space space) {
    EngineFixture.await(
        rival.transact(
            new Partition(space, bytes("p")),
            List.of(),
            Deadline.NEVER,
            view -> {
              view.put(bytes("r"), new byte[3]);
              return true;
            }));
  }

  /** Keeps the value of each metric, and the number of values of each histogram. */
  private record Shown(Map<String, Double> values) implements MetricVisitor {
    @Override
    public void counter(String name, String description, Number value, String... labels) {
      values.put(name + Arrays.toString(labels), value.doubleValue());
    }

    @Override
    public void gauge(String name, String description, Number value, String... labels) {
      values.put(name + Arrays.toString(labels), value.doubleValue());
    }

    @Override
    public void histogram(String name, String description, Histogram found, String... labels) {
      values.put(name + Arrays.toString(labels), (double) Arrays.stream(found.counts()).sum());
    }
  }
}
