package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.wire.ScratchTable;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Storage Explorer is known to ask of tables; its source is closed, its requests are not. */
@Covers(Area.FILTERS)
class StorageExplorerTablesConformanceTest {

  private final ScratchTable table = ScratchTable.create();

  @ParameterizedTest
  @ValueSource(strings = {"$select=&$filter=", "$top=20&$filter="})
  @Documented("Azure/Azurite#1573, #1880 and microsoft/AzureStorageExplorer#7503")
  void aTableIsOpenedWithAnEmptyFilter(String options) {
    table.inserted(ScratchTable.entity("r", "\"Name\":\"n\""));
    WireAnswer answer =
        table
            .query(options.split("&", -1))
            .header("x-ms-version", "2020-12-06")
            .header("DataServiceVersion", "3.0")
            .accept(WireRequest.MINIMAL)
            .send();
    expect(answer).status(200);
    assertThat(answer.values()).hasSize(1);
    assertThat(answer.values().get(0).path("Name").asText()).isEqualTo("n");
  }

  @Test
  @Covers(Area.CORS)
  @Documented("microsoft/AzureStorageExplorer#4770")
  void theRulesOfTheTablesNodeAreShown() {
    WireAnswer answer =
        table.wire().get("/?restype=service&comp=properties").accept("application/xml").send();
    expect(answer).status(200);
    assertThat(answer.text()).contains("<Cors");
  }
}
