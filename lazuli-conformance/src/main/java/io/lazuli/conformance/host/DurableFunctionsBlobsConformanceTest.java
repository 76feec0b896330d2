package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireRequest;
import org.junit.jupiter.api.Test;

/**
 * The workers of a task hub share its partitions through leases on blobs, and steal them from each
 * other.
 */
@Covers(value = Area.CONCURRENCY, service = StorageService.BLOB)
@Documented("Azure/durabletask DurableTask.AzureStorage/Partitioning/BlobPartitionLeaseManager.cs")
class DurableFunctionsBlobsConformanceTest {

  private static final String PARTITION = "default/myhub-control-00";
  private static final String A = "11111111-aaaa-4aaa-8aaa-111111111111";
  private static final String B = "22222222-bbbb-4bbb-8bbb-222222222222";

  private final ScratchContainer container = ScratchContainer.create();

  private static String lease(String owner, int epoch) {
    return "{\"PartitionId\":\"myhub-control-00\",\"Owner\":\"%s\",\"Epoch\":%d}"
        .formatted(owner, epoch);
  }

  private WireRequest created(String blob, String json) {
    return container.put(blob, json).header("If-None-Match", "*");
  }

  private WireRequest action(String action, String id) {
    return container.lease(PARTITION, action).header("x-ms-lease-id", id);
  }

  private WireRequest written(String owner, int epoch, String id) {
    return container.put(PARTITION, lease(owner, epoch)).header("x-ms-lease-id", id);
  }

  /** Takes a free partition for worker A and writes the owner to the blob. */
  private void taken() {
    expect(created(PARTITION, lease("", 0)).send()).status(201);
    expect(container.head(PARTITION).send()).header("x-ms-lease-state", "available");
    expect(
            container
                .lease(PARTITION, "acquire")
                .header("x-ms-lease-duration", "30")
                .header("x-ms-proposed-lease-id", A)
                .send())
        .status(201)
        .header("x-ms-lease-id", A);
    expect(written("a", 1, A).send()).status(201);
  }

  @Test
  void everyWorkerMakesTheHubAndOneSucceeds() {
    expect(container.on("PUT", "").send()).error(409, "ContainerAlreadyExists");
    expect(container.head("taskhub.json").send()).status(404);
    expect(created("taskhub.json", "{\"PartitionCount\":4}").send()).status(201);
    expect(created("taskhub.json", "{\"PartitionCount\":5}").send())
        .error(409, "BlobAlreadyExists");
    assertThat(container.content("taskhub.json")).contains("4");
  }

  @Test
  void aPartitionIsTakenRenewedAndReleased() {
    taken();
    expect(action("renew", A).send()).status(200).header("x-ms-lease-id", A);
    expect(written("", 1, A).send()).status(201);
    expect(action("release", A).send()).status(200);
    expect(container.head(PARTITION).send()).header("x-ms-lease-state", "available");
  }

  @Test
  void aPartitionIsStolenAndItsOldOwnerFindsOut() {
    taken();
    expect(container.head(PARTITION).send()).header("x-ms-lease-state", "leased");
    expect(action("change", A).header("x-ms-proposed-lease-id", B).send())
        .status(200)
        .header("x-ms-lease-id", B);
    expect(written("b", 2, B).send()).status(201);
    expect(action("renew", A).send()).error(409, "LeaseIdMismatchWithLeaseOperation");
    expect(written("a", 1, A).send()).error(412, "LeaseIdMismatchWithBlobOperation");
    assertThat(container.content(PARTITION)).isEqualTo(lease("b", 2));
  }

  @Test
  @Covers(Area.OPERATIONS)
  void partitionsAreListedByTheirFolderWhileTheyAreLeased() {
    taken();
    container.stored("taskhub.json", "{}");
    container.stored("default/myhub-control-01", lease("", 0));
    String list = container.list("prefix=default").send().text();
    assertThat(list)
        .contains("<Name>default/myhub-control-00</Name>", "<Name>default/myhub-control-01</Name>")
        .contains("<LeaseState>leased</LeaseState>")
        .doesNotContain("taskhub.json");
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("Azure/durabletask DurableTask.AzureStorage/Storage/Blob.cs DeleteIfExistsAsync")
  void aLeaseBlobIsDeletedWithItsSnapshotsOnceItIsFree() {
    taken();
    WireRequest refused = container.delete(PARTITION).header("x-ms-delete-snapshots", "include");
    expect(refused.send()).error(412, "LeaseIdMissing");
    expect(action("release", A).send()).status(200);
    WireRequest again = container.delete(PARTITION).header("x-ms-delete-snapshots", "include");
    expect(again.send()).status(202);
    WireRequest gone = container.delete(PARTITION).header("x-ms-delete-snapshots", "include");
    expect(gone.send()).error(404, "BlobNotFound");
  }
}
