package io.lazuli.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Computes the table "Memory" of docs/limits.md from the constants. */
class MemoryPlanTest {
  private static final long MIB = 1 << 20;
  private static final long MANY = 1 << 20;
  private static final int HEADROOM_PERCENT_MIN = 10;

  /** The smallest heap that is supported, that of the start script, and a large one. */
  private static final List<MemoryPlan> PLANS =
      List.of(
          new MemoryPlan(256 * MIB, MANY),
          new MemoryPlan(512 * MIB, MANY),
          new MemoryPlan(4096 * MIB, MANY));

  private record Row(String what, String share, ToLongFunction<MemoryPlan> bytes) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(
              "connections, 16 KiB each: objects, and 8 KiB of a head",
              "1/8",
              plan -> (long) plan.connectionsMax() * MemoryPlan.CONNECTION_BYTES),
          new Row("heads, beyond the 8 KiB of each connection", "1/16", MemoryPlan::headBytesMax),
          new Row("request bodies", "1/6, at most 128 MiB", MemoryPlan::bodyBytesMax),
          new Row(
              "transactions that wait for the log",
              "1/8, at most 256 MiB",
              MemoryPlan::queuedBytesMax),
          new Row("answers", "1/8, at least 32 MiB", MemoryPlan::answerBytesMax),
          new Row(
              "answers of the admin port", "16 MiB", plan -> Limits.HELD_ADMIN_ANSWER_BYTES_MAX),
          new Row("log lines that wait", "1/16, at most 32 MiB", MemoryPlan::logBytesMax),
          new Row("the server itself", "40 MiB", plan -> MemoryPlan.OWN_BYTES));

  @Test
  void thePartsLeaveHeadroom() {
    for (MemoryPlan plan : PLANS) {
      assertThat(headroomPercent(plan)).as("%s", plan).isGreaterThanOrEqualTo(HEADROOM_PERCENT_MIN);
    }
  }

  @Test
  void connectionsLeaveDescriptorsForFiles() {
    assertThat(new MemoryPlan(512 * MIB, 1024).connectionsMax()).isEqualTo(512);
    assertThat(new MemoryPlan(512 * MIB, MANY).connectionsMax()).isEqualTo(4096);
    assertThat(MemoryPlan.ofThisProcess().connectionsMax()).isPositive();
  }

  @Test
  void theDocumentHasThisTable() throws IOException {
    new DocumentedTable("limits.md", "memory").assertIs(table());
  }

  private static String table() {
    List<String> lines = new ArrayList<>();
    lines.add("| what | part of the heap | `-Xmx256m` | `-Xmx512m`, the default | `-Xmx4g` |");
    lines.add("| --- | --- | --- | --- | --- |");
    for (Row row : ROWS) {
      lines.add(line(row.what(), row.share(), row.bytes()));
    }
    lines.add(line("sum", "", MemoryPlanTest::sum));
    lines.add(line("headroom", "at least 10 %", plan -> plan.heapBytes() - sum(plan)));
    lines.add(
        String.format(
            Locale.ROOT,
            "| number of connections | | %,d | %,d | %,d |",
            PLANS.stream().map(MemoryPlan::connectionsMax).toArray()));
    return String.join("\n", lines) + "\n";
  }

  private static String line(String what, String share, ToLongFunction<MemoryPlan> bytes) {
    StringBuilder line =
        new StringBuilder("| " + what + " | " + share + (share.isEmpty() ? "" : " ") + "|");
    PLANS.forEach(plan -> line.append(" ").append(bytes.applyAsLong(plan) / MIB).append(" MiB |"));
    return line.toString();
  }

  private static long sum(MemoryPlan plan) {
    return ROWS.stream().mapToLong(row -> row.bytes().applyAsLong(plan)).sum();
  }

  private static long headroomPercent(MemoryPlan plan) {
    return 100 * (plan.heapBytes() - sum(plan)) / plan.heapBytes();
  }
}
