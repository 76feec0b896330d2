package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Storage Explorer lists the containers to find out whether an emulator runs. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class StorageExplorerBlobsConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?include=metadata&comp=list",
        "/?include=metadata&comp=list",
        "?comp=list&include=metadata"
      })
  @Documented("microsoft/AzureStorageExplorer#4391, #3558, #7304")
  void containersAreListedWithTheirMetadata(String resource) {
    expect(container.on("PUT", "comp=metadata").header("x-ms-meta-project", "lazuli").send())
        .status(200);
    String prefix = "&prefix=" + container.name();
    WireAnswer answer = container.wire().request("GET", resource + prefix).send();
    expect(answer).status(200).header("Content-Type", "application/xml");
    assertThat(answer.text())
        .contains("<Name>" + container.name() + "</Name>", "<project>lazuli</project>");
  }
}
