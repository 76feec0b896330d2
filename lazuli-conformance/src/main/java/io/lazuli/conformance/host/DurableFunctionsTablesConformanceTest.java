package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Durable Functions append the history of an orchestration in transactions that end with a row
 * called sentinel. A changed tag of this row shows a worker that another one has taken over.
 */
@Covers(Area.BATCH)
@Documented("Azure/durabletask DurableTask.AzureStorage/Tracking/AzureTableTrackingStore.cs")
class DurableFunctionsTablesConformanceTest {

  private static final String INSTANCE = "c138dd969a1e4a699b0644c7d8279f81";
  private static final String FIRST_EXECUTION = "85f05ce1494c4a29989f64d3fe0f9089";

  private final NetTable table = NetTable.create();

  private static String row(long number) {
    return "%016X".formatted(number);
  }

  private static String event(long number, String execution) {
    String members = "'EventType':'TaskScheduled','ExecutionId':'%s'".formatted(execution);
    return NetTable.entity(INSTANCE, row(number), members);
  }

  private static String sentinel(String execution) {
    return NetTable.entity(INSTANCE, "sentinel", "'ExecutionId':'%s'".formatted(execution));
  }

  private NetBatch events(int from, int to, String execution) {
    NetBatch batch = table.batch();
    for (int i = from; i < to; i++) {
      batch.upsert(INSTANCE, row(i), event(i, execution));
    }
    return batch;
  }

  /**
   * Writes the first batch, which needs no tag. Returns the tag of the sentinel from the last part
   * of the answer.
   */
  private String begun(int events) {
    NetBatch batch =
        events(0, events, FIRST_EXECUTION).upsert(INSTANCE, "sentinel", sentinel(FIRST_EXECUTION));
    List<String> tags = table.sent(batch);
    assertThat(tags).hasSize(events + 1);
    return tags.get(events);
  }

  @Test
  void ninetyNineEventsAndTheSentinelAreOneTransaction() {
    String tag = begun(99);
    NetBatch rest =
        events(99, 110, FIRST_EXECUTION)
            .replace(INSTANCE, "sentinel", sentinel(FIRST_EXECUTION), tag);
    assertThat(table.sent(rest)).hasSize(12).doesNotContain(tag);
    assertThat(table.rows("PartitionKey eq '" + INSTANCE + "'"))
        .hasSize(111)
        .startsWith(row(0), row(1))
        .endsWith(row(109), "sentinel");
  }

  @Test
  @Covers(Area.CONCURRENCY)
  void aWorkerThatLostTheOrchestrationAppendsNothing() {
    String old = begun(2);
    NetBatch winner =
        events(2, 4, FIRST_EXECUTION).replace(INSTANCE, "sentinel", sentinel(FIRST_EXECUTION), old);
    table.sent(winner);
    NetBatch loser =
        events(4, 6, FIRST_EXECUTION).replace(INSTANCE, "sentinel", sentinel(FIRST_EXECUTION), old);
    WireAnswer refusal = NetTable.refusal(loser);
    expect(refusal).error(412, "UpdateConditionNotSatisfied");
    assertThat(refusal.errorText()).startsWith("2:");
    assertThat(table.rows("PartitionKey eq '" + INSTANCE + "'"))
        .containsExactly(row(0), row(1), row(2), row(3), "sentinel");
  }

  @Test
  @Covers(Area.FILTERS)
  void oneExecutionIsReadWithTheTagOfTheSentinelLast() {
    String tag = begun(2);
    expect(table.insert(event(7, "of-another-generation")).send()).status(204);
    List<JsonNode> history =
        table.found(
            "PartitionKey eq '%s' and ExecutionId eq '%s'".formatted(INSTANCE, FIRST_EXECUTION));
    assertThat(history)
        .extracting(row -> row.path("RowKey").asText())
        .containsExactly(row(0), row(1), "sentinel");
    assertThat(history.get(2).path("odata.etag").asText()).isEqualTo(tag);
  }

  @Test
  @Covers(Area.OPERATIONS)
  void theStateOfAnInstanceHasAnEmptyRowKey() {
    expect(table.read(INSTANCE, "").send()).error(404, "ResourceNotFound");
    String pending =
        "'Input':'1','Name':'Hello','Version':'','RuntimeStatus':'Pending',"
            + "'CreatedTime':'2026-01-01T00:00:00.0000000Z',"
            + "'CreatedTime@odata.type':'Edm.DateTime'";
    String first = NetTable.entity(INSTANCE, "", pending);
    expect(table.replace(INSTANCE, "", first).send()).status(204);
    String completed =
        NetTable.entity(
            INSTANCE, "", "'RuntimeStatus':'Completed','CustomStatus':null,'Output':'2'");
    expect(table.merge(INSTANCE, "", completed).send()).status(204);
    JsonNode state = table.read(INSTANCE, "").send().json();
    assertThat(state.path("RuntimeStatus").asText()).isEqualTo("Completed");
    assertThat(state.path("Input").asText()).isEqualTo("1");
  }
}
