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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The host of Azure Functions keeps locks, keys and receipts in blobs. It uses the containers
 * azure-webjobs-hosts and azure-webjobs-secrets; the cases use a new container instead. The host
 * decides by the status and the error code of an answer.
 */
@Covers(value = Area.CONCURRENCY, service = StorageService.BLOB)
class FunctionsBlobsConformanceTest {

  /** The blob that one host of an application leases to keep the others away. */
  private static final String LOCK = "locks/myapp/host";

  private static final String HOST_KEYS = "myapp/host.json";

  /** The blob of a receipt. Its name contains an ETag with its quotes. */
  private static final String RECEIPT =
      "blobreceipts/myapp/MyApp.Functions.Run/\"0x8D4CB3A1B2C3D4E\"/inbox/a/b.txt";

  private static final String OWNER = "11111111-aaaa-4aaa-8aaa-111111111111";

  private final ScratchContainer container = ScratchContainer.named(ScratchContainer.freshName());

  /** Creates the container as a host does in an empty account. */
  @BeforeEach
  void hostMakesTheContainerWhenItIsMissed() {
    expect(acquire(LOCK, 15).header("x-ms-proposed-lease-id", OWNER).send())
        .error(404, "ContainerNotFound");
    expect(put(LOCK, "").send()).error(404, "ContainerNotFound");
    expect(container.on("PUT", "").send()).status(201);
  }

  private WireRequest put(String blob, String content) {
    return recent(container.put(blob, content));
  }

  private WireRequest acquire(String blob, int seconds) {
    return recent(container.lease(blob, "acquire"))
        .header("x-ms-lease-duration", String.valueOf(seconds));
  }

  private WireRequest lease(String blob, String action, String id) {
    return recent(container.lease(blob, action)).header("x-ms-lease-id", id);
  }

  /**
   * Sets the version that Azure/azure-functions-host#7475 shows, and asks for the request id in the
   * answer.
   */
  private static WireRequest recent(WireRequest request) {
    return request
        .header("x-ms-version", "2020-04-08")
        .header("x-ms-return-client-request-id", "true");
  }

  /**
   * Takes the lock as a host does when the blob does not exist yet. Returns the id of the lease.
   */
  private String locked() {
    expect(acquire(LOCK, 15).send()).error(404, "BlobNotFound");
    expect(put(LOCK, "").send()).status(201);
    return acquired(LOCK, 15);
  }

  private String acquired(String blob, int seconds) {
    WireAnswer answer = acquire(blob, seconds).send();
    expect(answer).status(201).hasHeader("x-ms-lease-id");
    return answer.header("x-ms-lease-id").orElse("");
  }

  @Test
  @Documented("Azure/azure-webjobs-sdk Singleton/BlobLeaseDistributedLockManager.cs TryLockAsync")
  void theLockNamesItsOwner() {
    String id = locked();
    expect(
            recent(container.on("PUT", LOCK, "comp=metadata"))
                .header("x-ms-lease-id", id)
                .header("x-ms-meta-FunctionInstance", "instance-1")
                .send())
        .status(200);
    expect(recent(container.head(LOCK)).send())
        .status(200)
        .header("x-ms-lease-state", "leased")
        .header("x-ms-lease-status", "locked")
        .header("x-ms-meta-FunctionInstance", "instance-1");
  }

  @Test
  @Documented("Azure/azure-webjobs-sdk Singleton/BlobLeaseDistributedLockManager.cs; #2318")
  void anotherHostIsToldThatTheLockIsTaken() {
    String id = locked();
    expect(acquire(LOCK, 15).header("x-ms-proposed-lease-id", OWNER).send())
        .error(409, "LeaseAlreadyPresent");
    expect(put(LOCK, "").send()).error(412, "LeaseIdMissing");
    expect(lease(LOCK, "renew", id).send()).status(200).header("x-ms-lease-id", id);
  }

  @Test
  @Documented("Azure/azure-webjobs-sdk Singleton/BlobLeaseDistributedLockManager.cs; #822")
  void aLockThatWasReleasedCannotBeRenewed() {
    String id = locked();
    expect(lease(LOCK, "release", id).send()).status(200);
    expect(recent(container.head(LOCK)).send())
        .header("x-ms-lease-state", "available")
        .header("x-ms-lease-status", "unlocked");
    expect(lease(LOCK, "renew", id).send()).error(409, "LeaseIdMismatchWithLeaseOperation");
    String next = acquired(LOCK, 15);
    expect(lease(LOCK, "release", id).send()).error(409, "LeaseIdMismatchWithLeaseOperation");
    expect(lease(LOCK, "release", next).send()).status(200);
  }

  @Test
  @Documented("Azure/azure-functions-host KeyManagement/BlobStorageSecretsRepository.cs")
  void theFirstHostWritesTheKeys() {
    expect(recent(container.on("GET", "")).send()).status(200);
    expect(recent(container.head(HOST_KEYS)).send())
        .status(404)
        .header("x-ms-error-code", "BlobNotFound");
    expect(put(HOST_KEYS, "{\"masterKey\":{}}").header("If-None-Match", "*").send()).status(201);
    expect(put(HOST_KEYS, "{}").header("If-None-Match", "*").send())
        .error(409, "BlobAlreadyExists");
    assertThat(container.content(HOST_KEYS)).isEqualTo("{\"masterKey\":{}}");
  }

  @Test
  @Documented("Azure/azure-functions-host KeyManagement/BlobStorageSecretsRepository.cs")
  void keysThatAnotherHostHasChangedAreNotOverwritten() {
    String read = container.stored(HOST_KEYS, "one").etag();
    expect(put(HOST_KEYS, "two").ifMatch(read).send()).status(201);
    expect(put(HOST_KEYS, "three").ifMatch(read).send()).error(412, "ConditionNotMet");
    assertThat(container.content(HOST_KEYS)).isEqualTo("two");
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("Azure/azure-functions-host KeyManagement/BlobStorageSecretsRepository.cs")
  void snapshotsOfKeysAreListedByPrefix() {
    container.stored(HOST_KEYS, "now");
    container.stored("myapp/host.snapshot.2026-01-01.json", "then");
    container.stored("other/host.snapshot.json", "not ours");
    WireAnswer list = recent(container.list("prefix=myapp%2Fhost.snapshot")).send();
    expect(list).status(200);
    assertThat(list.text())
        .contains("<Name>myapp/host.snapshot.2026-01-01.json</Name>")
        .doesNotContain("host.json", "other/");
  }

  @Test
  @Documented("Azure/azure-sdk-for-net Storage.Blobs/src/Listeners/BlobReceiptManager.cs")
  void aReceiptIsMadeOnce() {
    expect(recent(container.head(RECEIPT)).send())
        .status(404)
        .header("x-ms-error-code", "BlobNotFound");
    expect(receipt().send()).status(201);
    expect(receipt().send()).error(409, "BlobAlreadyExists");
    expect(recent(container.head(RECEIPT)).send())
        .status(200)
        .header("Content-Length", "0")
        .header("x-ms-meta-Incomplete", "Incomplete");
  }

  @Test
  @Documented("Azure/azure-sdk-for-net Storage.Blobs/src/Listeners/BlobReceiptManager.cs")
  void aReceiptIsCompletedUnderItsLease() {
    expect(acquire(RECEIPT, 30).send()).error(404, "BlobNotFound");
    expect(receipt().send()).status(201);
    String id = acquired(RECEIPT, 30);
    expect(acquire(RECEIPT, 30).send())
        .error(409, "LeaseAlreadyPresent")
        .header("x-ms-error-code", "LeaseAlreadyPresent");
    expect(recent(container.on("PUT", RECEIPT, "comp=metadata")).header("x-ms-lease-id", id).send())
        .status(200);
    expect(recent(container.head(RECEIPT)).send()).lacksHeader("x-ms-meta-Incomplete");
    expect(lease(RECEIPT, "release", id).send()).status(200);
    expect(lease(RECEIPT, "release", id).send()).error(409, "LeaseIdMismatchWithLeaseOperation");
  }

  private WireRequest receipt() {
    return put(RECEIPT, "")
        .header("If-None-Match", "*")
        .header("x-ms-meta-Incomplete", "Incomplete");
  }
}
