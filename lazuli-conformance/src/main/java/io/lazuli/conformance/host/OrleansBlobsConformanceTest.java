package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import org.junit.jupiter.api.Test;

/** Orleans can keep the state of a grain in a blob and uses its ETag. */
@Covers(value = Area.CONCURRENCY, service = StorageService.BLOB)
@Documented("dotnet/orleans Orleans.Persistence.AzureStorage/Providers/Storage/AzureBlobStorage.cs")
class OrleansBlobsConformanceTest {

  private static final String STATE = "Counter-GrainReference=0000000000000000.json";

  private final ScratchContainer container = ScratchContainer.named(ScratchContainer.freshName());

  private WireRequest write(String json) {
    return container.put(STATE, json).header("x-ms-blob-content-type", "application/json");
  }

  @Test
  void theErrorCodeNamesTheMissingResource() {
    expect(container.get(STATE).send()).error(404, "ContainerNotFound");
    expect(write("{}").send()).error(404, "ContainerNotFound");
    expect(container.on("PUT", "").send()).status(201);
    expect(container.get(STATE).send()).error(404, "BlobNotFound");
    expect(write("{}").send()).status(201);
    expect(container.get(STATE).send()).status(200).header("Content-Type", "application/json");
  }

  @Test
  void stateThatWasChangedElsewhereIsNeitherWrittenNorCleared() {
    container.created();
    WireAnswer first = write("{\"n\":1}").send();
    expect(first).status(201).hasHeader("ETag");
    expect(write("{\"n\":2}").ifMatch(first.etag()).send()).status(201);
    expect(write("{\"n\":3}").ifMatch(first.etag()).send()).error(412, "ConditionNotMet");
    expect(container.delete(STATE).ifMatch(first.etag()).send()).error(412, "ConditionNotMet");
    WireAnswer read = container.get(STATE).send();
    assertThat(read.text()).isEqualTo("{\"n\":2}");
    expect(container.delete(STATE).ifMatch(read.etag()).send()).status(202);
  }
}
