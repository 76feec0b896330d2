package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.WireAnswer;
import org.junit.jupiter.api.Test;

/**
 * Requests of Storage Explorer for tables, as far as reports of its users show them. Its source is
 * closed.
 */
@Covers(Area.FILTERS)
class StorageExplorerTablesConformanceTest {

  private final ScratchTable table = ScratchTable.create();

  @Test
  @Documented("Azure/Azurite#1573; microsoft/AzureStorageExplorer#7503 shows what users saw")
  void aTableIsOpenedWithAnEmptyFilter() {
    table.inserted(ScratchTable.entity("r", "\"Name\":\"n\""));
    WireAnswer answer = table.query("$select=", "$filter=").send();
    expect(answer).status(200);
    assertThat(answer.values()).hasSize(1);
    assertThat(answer.values().get(0).path("Name").asText()).isEqualTo("n");
  }

  @Test
  @Covers(Area.CORS)
  @Documented(
      "microsoft/AzureStorageExplorer#4770: the dialog, which only this operation can serve")
  void theRulesOfTheTablesNodeAreShown() {
    WireAnswer answer =
        table.wire().get("/?restype=service&comp=properties").accept("application/xml").send();
    expect(answer).status(200);
    assertThat(answer.text()).contains("<Cors");
  }
}
