package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.BackgroundLoad;
import io.lazuli.benchmarks.protocol.Batches;
import io.lazuli.benchmarks.protocol.TableRequests;
import io.lazuli.benchmarks.report.Figures;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.report.Section;
import io.lazuli.benchmarks.report.Series;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares inserts alone with inserts while transactions merge into data four times the size of the
 * cache, so that most of the merged entities are not cached.
 */
final class InsertUnderMergesScenario implements Scenario {
  /** The server's default for cache and write buffers together. */
  private static final long CACHE_BYTES = 384L << 20;

  /**
   * The size of record and key before compression, because the cache contains uncompressed blocks.
   */
  private static final long ENTITY_BYTES = 400;

  private static final long ENTITIES =
      4 * CACHE_BYTES / ENTITY_BYTES / Batches.PARTITION_ENTITIES * Batches.PARTITION_ENTITIES;

  private static final int INSERT_CONNECTIONS = 32;
  private static final int MERGE_CONNECTIONS = 4;
  private static final String INSERTS = "inserts";

  @Override
  public String name() {
    return "insert-under-merges";
  }

  @Override
  public Section run(Stage stage) throws IOException {
    String title = "Insert during merge batches, " + INSERT_CONNECTIONS + " connections";
    if (!stage.scale().full()) {
      return new Section(title, "what").row("not measured: it takes minutes and requires --full");
    }
    try (ServerProcess server = stage.servers().startLazuli(stage.newFolder())) {
      return measure(stage, server, Section.ofSeries(title, "p99 / alone", "rate / alone"));
    }
  }

  private static Section measure(Stage stage, ServerProcess server, Section section)
      throws IOException {
    String table = "merged";
    stage.createTable(server, table);
    stage.createTable(server, INSERTS);
    stage.fill(server, table, ENTITIES);
    Entrant.Measure inserts =
        InsertScenario.inserts(stage, server, INSERTS, INSERT_CONNECTIONS, new AtomicLong());
    AtomicLong merges = new AtomicLong();
    List<Series> all =
        stage.inTurns(
            List.of(
                new Entrant("alone", inserts),
                new Entrant(
                    "while merges run",
                    nanos -> underMerges(server, table, merges, inserts, nanos))));
    for (Series series : all) {
      section.row(
          series,
          Figures.ratio(series.ratioTo(all.get(0), Sample::p99Millis)),
          Figures.ratio(series.ratioTo(all.get(0), Sample::requestsPerSecond)));
    }
    return section.remark(
        merges
            + " transactions of 100 merges were made on "
            + Figures.count(ENTITIES)
            + " entities.");
  }

  /**
   * Measures inserts while transactions merge into the whole table in key order. The next entities
   * are always those that left the cache longest ago.
   */
  private static Sample underMerges(
      ServerProcess server, String table, AtomicLong merges, Entrant.Measure inserts, long nanos)
      throws IOException {
    TableRequests requests = TableRequests.signedNow(server.endpoint());
    BackgroundLoad load =
        BackgroundLoad.start(
            server.address(),
            Batches.endless(() -> requests.mergeBatch(table), MERGE_CONNECTIONS, merges, ENTITIES));
    Sample sample = inserts.take(nanos);
    load.stop().requireNoErrors();
    return sample;
  }
}
