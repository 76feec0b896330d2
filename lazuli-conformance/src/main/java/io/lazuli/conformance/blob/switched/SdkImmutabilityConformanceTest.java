package io.lazuli.conformance.blob.switched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobImmutabilityPolicy;
import com.azure.storage.blob.models.BlobImmutabilityPolicyMode;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The official Java client sets immutability policies and legal holds. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Tag("own-server")
class SdkImmutabilityConformanceTest {
  private final OffsetDateTime tomorrow =
      OffsetDateTime.now(ZoneOffset.UTC).plusDays(1).truncatedTo(ChronoUnit.SECONDS);

  private static ServerProcess server;

  private BlobContainerClient container;
  private BlobClient blob;

  @BeforeAll
  static void start() {
    server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(),
            ServerProcess.temporaryFolder(),
            "--blob-versioning",
            "--blob-immutability");
  }

  @AfterAll
  static void kill() {
    server.close();
  }

  @BeforeEach
  void createContainer() {
    container =
        new BlobServiceClientBuilder()
            .connectionString(server.account(StorageService.BLOB).connectionString())
            .buildClient()
            .createBlobContainer(ScratchContainer.freshName());
    blob = container.getBlobClient("b");
  }

  private BlobImmutabilityPolicy policy(BlobImmutabilityPolicyMode mode) {
    return new BlobImmutabilityPolicy().setExpiryTime(tomorrow).setPolicyMode(mode);
  }

  private static void refused(ThrowingCallable call, BlobErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            BlobStorageException.class, e -> assertThat(e.getErrorCode()).isEqualTo(code));
  }

  @Test
  @Documented("blob-features 6.1: set, read, list and delete with the SDK")
  void aPolicyGoesBothWays() {
    blob.upload(BinaryData.fromString("1"));
    BlobImmutabilityPolicy set =
        blob.setImmutabilityPolicy(policy(BlobImmutabilityPolicyMode.UNLOCKED));
    assertThat(set.getExpiryTime()).isEqualTo(tomorrow);
    assertThat(set.getPolicyMode()).isEqualTo(BlobImmutabilityPolicyMode.UNLOCKED);
    assertThat(blob.setLegalHold(true).hasLegalHold()).isTrue();
    BlobProperties read = blob.getProperties();
    assertThat(read.getImmutabilityPolicy().getExpiryTime()).isEqualTo(tomorrow);
    assertThat(read.hasLegalHold()).isTrue();
    ListBlobsOptions options =
        new ListBlobsOptions()
            .setDetails(
                new BlobListDetails()
                    .setRetrieveImmutabilityPolicy(true)
                    .setRetrieveLegalHold(true));
    BlobItem item = container.listBlobs(options, null).iterator().next();
    assertThat(item.getProperties().getImmutabilityPolicy().getExpiryTime()).isEqualTo(tomorrow);
    assertThat(item.getProperties().hasLegalHold()).isTrue();
    assertThat(container.getProperties().isImmutableStorageWithVersioningEnabled()).isTrue();
    assertThat(blob.setLegalHold(false).hasLegalHold()).isFalse();
    blob.deleteImmutabilityPolicy();
    assertThat(blob.getProperties().getImmutabilityPolicy().getExpiryTime()).isNull();
  }

  @Test
  @Documented("blob-features 6.1, 6.2: an upload with a policy; the version cannot be deleted")
  void anUploadIsProtected() {
    blob.uploadWithResponse(
        new BlobParallelUploadOptions(BinaryData.fromString("1"))
            .setImmutabilityPolicy(policy(BlobImmutabilityPolicyMode.LOCKED)),
        null,
        null);
    String version = blob.getProperties().getVersionId();
    blob.upload(BinaryData.fromString("2"), true);
    BlobClient previous = blob.getVersionClient(version);
    refused(previous::delete, BlobErrorCode.BLOB_IMMUTABLE_DUE_TO_POLICY);
    assertThat(previous.downloadContent().toString()).isEqualTo("1");
    assertThat(previous.getProperties().getImmutabilityPolicy().getPolicyMode())
        .isEqualTo(BlobImmutabilityPolicyMode.LOCKED);
    refused(container::delete, BlobErrorCode.BLOB_IMMUTABLE_DUE_TO_POLICY);
  }
}
