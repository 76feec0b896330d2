package io.lazuli.conformance.host;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.TranscriptCases;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The commands of the Azure CLI for tables, as its own tests recorded them. */
@Covers(Area.OPERATIONS)
class AzCliTablesConformanceTest {

  @TestFactory
  @SeenOn(value = SeenOn.Service.AZURE, date = "2023-08-29")
  @Documented(
      "Azure/azure-cli storage/tests/latest/recordings/test_storage_table_main_scenario.yaml")
  Stream<DynamicTest> recordedCommands() {
    ScratchTable table = ScratchTable.named(ScratchTable.freshName());
    return TranscriptCases.of("az-cli.http", table.transcriptPlayer());
  }
}
