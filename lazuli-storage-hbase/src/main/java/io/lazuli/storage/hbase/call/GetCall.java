package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * The read of some rows of one region. It may share a remote call with other reads of the same
 * table. The library gives each row its own answer or failure, so a row that cannot be read fails
 * only the read that asked for it.
 */
final class GetCall extends ServerCall<List<Result>> {
  /** The rows of a remote call for which one worker does what follows. Other workers help. */
  private static final int ROWS_OF_A_WORKER = 16;

  private final EngineThreads threads;
  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final List<Get> gets;

  GetCall(
      RegionServers.Server server,
      CallLane lane,
      EngineThreads threads,
      Deadline limit,
      AsyncTable<AdvancedScanResultConsumer> table,
      List<Get> gets,
      BooleanSupplier moved) {
    super(server, lane, threads, limit, Patience.UNTIL_DEADLINE, () -> send(table, gets), moved);
    this.threads = threads;
    this.table = table;
    this.gets = gets;
  }

  @Override
  int rows() {
    return gets.size();
  }

  @Override
  boolean joins(ServerCall<?> first) {
    return first instanceof GetCall get && get.table == table;
  }

  @Override
  void sendWith(List<ServerCall<?>> batch) {
    if (batch.size() == 1) {
      super.sendWith(batch);
      return;
    }
    List<Get> all = new ArrayList<>();
    batch.forEach(call -> all.addAll(((GetCall) call).gets));
    List<CompletableFuture<Result>> answers = table.get(all);
    int from = 0;
    Executor handover = new Handover(threads);
    int rows = 0;
    for (ServerCall<?> call : batch) {
      if (rows >= ROWS_OF_A_WORKER) {
        handover = new Handover(threads);
        rows = 0;
      }
      int to = from + call.rows();
      ((GetCall) call).follow(together(answers.subList(from, to)), handover);
      rows += call.rows();
      from = to;
    }
  }

  @Override
  long bytes(List<Result> answer) {
    long bytes = 0;
    for (Result result : answer) {
      for (Cell cell : result.isEmpty() ? new Cell[0] : result.rawCells()) {
        bytes += cell.getValueLength();
      }
    }
    return bytes;
  }

  /** A single get is cheaper than a batch of one. */
  private static CompletableFuture<List<Result>> send(
      AsyncTable<AdvancedScanResultConsumer> table, List<Get> gets) {
    return gets.size() == 1
        ? table.get(gets.get(0)).thenApply(List::of)
        : together(table.get(gets));
  }

  private static CompletableFuture<List<Result>> together(List<CompletableFuture<Result>> answers) {
    return answers.size() == 1
        ? answers.get(0).thenApply(List::of)
        : CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
            .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
  }
}
