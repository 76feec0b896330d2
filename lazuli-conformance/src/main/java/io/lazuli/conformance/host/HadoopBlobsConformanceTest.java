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

/** Hadoop's ABFS renames folders of the blob endpoint with leases and copies. */
@Covers(value = Area.CONCURRENCY, service = StorageService.BLOB)
@Documented("hadoop-azure 3.4.2 ITestAzureBlobFileSystemRename, ITestAzureBlobFileSystemCreate")
class HadoopBlobsConformanceTest {

  private static final String LEASE = "11111111-2222-3333-4444-555555555555";
  private static final String OTHER_LEASE = "99999999-2222-3333-4444-555555555555";

  private final ScratchContainer container = ScratchContainer.create();

  private WireRequest rename(String lease) {
    return container
        .copy("target", container.url("source"))
        .header("x-ms-version", "2024-11-04")
        .header("If-None-Match", "*")
        .header("x-ms-source-lease-id", lease);
  }

  /** The file that describes an unfinished rename is read without a tag. */
  @Test
  void anEmptyConditionIsNone() {
    container.stored("hbase/a-RenamePending.json", "{\"FormatVersion\":\"1.0\"}");
    for (String header : new String[] {"If-Match", "If-None-Match", "If-Modified-Since"}) {
      WireAnswer answer =
          container
              .get("hbase/a-RenamePending.json")
              .header("Range", "bytes=0-4")
              .header(header, "")
              .send();
      expect(answer).status(206);
      assertThat(answer.text()).isEqualTo("{\"For");
    }
  }

  @Test
  void aLeasedBlobIsCopiedByTheHolderOfItsLease() {
    container.stored("source", "content");
    container.leased("source", LEASE);
    expect(rename(LEASE).send()).status(202).header("x-ms-copy-status", "success");
    assertThat(container.content("target")).isEqualTo("content");
    expect(container.delete("source").header("x-ms-lease-id", LEASE).send()).status(202);
  }

  @Test
  void aCopyThatNamesAnotherLeaseOfItsSourceFails() {
    container.stored("source", "content");
    expect(rename(LEASE).send()).error(412, "LeaseNotPresentWithBlobOperation");
    container.leased("source", LEASE);
    expect(rename(OTHER_LEASE).send()).error(412, "LeaseIdMismatchWithBlobOperation");
    expect(container.get("target").send()).error(404, "BlobNotFound");
  }
}
