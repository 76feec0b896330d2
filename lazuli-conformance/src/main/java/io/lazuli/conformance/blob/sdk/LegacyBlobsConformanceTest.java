package io.lazuli.conformance.blob.sdk;

import static io.lazuli.conformance.blob.sdk.SdkBlobs.bytes;
import static io.lazuli.conformance.support.LegacyFailure.expectError;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.azure.storage.AccessCondition;
import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.ResultSegment;
import com.microsoft.azure.storage.RetryNoRetry;
import com.microsoft.azure.storage.StorageCredentialsSharedAccessSignature;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.StorageUri;
import com.microsoft.azure.storage.blob.BlobContainerPermissions;
import com.microsoft.azure.storage.blob.BlobContainerPublicAccessType;
import com.microsoft.azure.storage.blob.BlobListingDetails;
import com.microsoft.azure.storage.blob.BlockEntry;
import com.microsoft.azure.storage.blob.BlockListingFilter;
import com.microsoft.azure.storage.blob.CloudAppendBlob;
import com.microsoft.azure.storage.blob.CloudBlob;
import com.microsoft.azure.storage.blob.CloudBlobClient;
import com.microsoft.azure.storage.blob.CloudBlobContainer;
import com.microsoft.azure.storage.blob.CloudBlobDirectory;
import com.microsoft.azure.storage.blob.CloudBlockBlob;
import com.microsoft.azure.storage.blob.CopyStatus;
import com.microsoft.azure.storage.blob.DeleteSnapshotsOption;
import com.microsoft.azure.storage.blob.LeaseState;
import com.microsoft.azure.storage.blob.LeaseStatus;
import com.microsoft.azure.storage.blob.ListBlobItem;
import com.microsoft.azure.storage.blob.SharedAccessBlobPolicy;
import io.lazuli.conformance.Account;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Patience;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The blob service through the previous official client. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class LegacyBlobsConformanceTest {

  private final Account account = AccountUnderTest.get(StorageService.BLOB);
  private final CloudBlobClient client;
  private final CloudBlobContainer container;
  private final CloudBlockBlob blob;

  LegacyBlobsConformanceTest() throws URISyntaxException, InvalidKeyException, StorageException {
    client = CloudStorageAccount.parse(account.connectionString()).createCloudBlobClient();
    client.getDefaultRequestOptions().setRetryPolicyFactory(new RetryNoRetry());
    container =
        client.getContainerReference(ScratchContainer.named(ScratchContainer.freshName()).name());
    container.create();
    blob = container.getBlockBlobReference("dir/a b+ü.txt");
  }

  @Test
  @Documented("blob-rest 20.2: content is uploaded and downloaded")
  void contentGoesInAndComesOut() throws StorageException, IOException, URISyntaxException {
    blob.getProperties().setContentType("text/plain");
    blob.setMetadata(new HashMap<>(Map.of("owner", "ann")));
    blob.uploadText("hello world");
    assertThat(blob.downloadText()).isEqualTo("hello world");
    CloudBlob read = container.getBlobReferenceFromServer("dir/a b+ü.txt");
    assertThat(read.getProperties().getContentType()).isEqualTo("text/plain");
    assertThat(read.getProperties().getLength()).isEqualTo(11);
    assertThat(read.getMetadata()).containsEntry("owner", "ann");
    byte[] part = new byte[5];
    assertThat(blob.downloadRangeToByteArray(6, 5L, part, 0)).isEqualTo(5);
    assertThat(part).asString().isEqualTo("world");
    assertThat(blob.deleteIfExists()).isTrue();
    assertThat(blob.exists()).isFalse();
    expectError(blob::downloadText, 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-rest 20.7: large content in blocks")
  void largeContentGoesInBlocks() throws StorageException, IOException {
    byte[] content = bytes(5 << 20);
    client.getDefaultRequestOptions().setSingleBlobPutThresholdInBytes(1 << 20);
    client.getDefaultRequestOptions().setConcurrentRequestCount(4);
    blob.setStreamWriteSizeInBytes(1 << 20);
    blob.upload(new ByteArrayInputStream(content), content.length);
    assertThat(blob.downloadBlockList()).hasSize(5);
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    blob.download(read);
    assertThat(read.toByteArray()).isEqualTo(content);
    try (InputStream in = blob.openInputStream()) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
  }

  @Test
  @Documented("blob-rest 11: blocks by hand")
  void blocksAreCommittedByHand() throws StorageException, IOException {
    List<BlockEntry> entries = new ArrayList<>();
    for (String text : List.of("one", "two")) {
      String id = ScratchContainer.blockId("%03d".formatted(entries.size()));
      byte[] content = text.getBytes(StandardCharsets.UTF_8);
      blob.uploadBlock(id, new ByteArrayInputStream(content), content.length);
      entries.add(0, new BlockEntry(id));
    }
    assertThat(blob.downloadBlockList(BlockListingFilter.UNCOMMITTED, null, null, null)).hasSize(2);
    blob.commitBlockList(entries);
    assertThat(blob.downloadText()).isEqualTo("twoone");
  }

  @Test
  @Documented("blob-rest 12: append blobs")
  void anAppendBlobGrows() throws StorageException, IOException, URISyntaxException {
    CloudAppendBlob log = container.getAppendBlobReference("log");
    log.createOrReplace();
    log.appendText("one\n");
    log.appendText("two\n");
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    log.download(read);
    assertThat(read.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\n");
    AccessCondition elsewhere = new AccessCondition();
    elsewhere.setIfAppendPositionEqual(3L);
    expectError(
        () -> log.appendBlock(new ByteArrayInputStream(new byte[1]), 1, elsewhere, null, null),
        412,
        "AppendPositionConditionNotMet");
  }

  @Test
  @Documented("blob-rest 5: leases")
  void aLeaseKeepsOthersOut() throws StorageException, IOException {
    blob.uploadText("x");
    String id = blob.acquireLease(15, null);
    blob.downloadAttributes();
    assertThat(blob.getProperties().getLeaseStatus()).isEqualTo(LeaseStatus.LOCKED);
    expectError(() -> blob.uploadText("y"), 412, "LeaseIdMissing");
    AccessCondition holder = AccessCondition.generateLeaseCondition(id);
    blob.uploadText("z", null, holder, null, null);
    blob.renewLease(holder);
    assertThat(blob.breakLease(0)).isZero();
    blob.downloadAttributes();
    assertThat(blob.getProperties().getLeaseState()).isEqualTo(LeaseState.BROKEN);
    expectError(() -> blob.renewLease(holder), 409, "LeaseIsBrokenAndCannotBeRenewed");
  }

  @Test
  @Documented("blob-rest 10.7, 10.6: snapshots")
  void snapshotsKeepWhatWas() throws StorageException, IOException {
    blob.uploadText("first");
    CloudBlockBlob snapshot = (CloudBlockBlob) blob.createSnapshot();
    blob.uploadText("second");
    assertThat(snapshot.downloadText()).isEqualTo("first");
    expectError(blob::delete, 409, "SnapshotsPresent");
    blob.delete(DeleteSnapshotsOption.INCLUDE_SNAPSHOTS, null, null, null);
    assertThat(snapshot.exists()).isFalse();
  }

  @Test
  @Documented("blob-rest 10.8: copies")
  void copiesAreMade() throws StorageException, IOException, URISyntaxException {
    blob.uploadText("hello");
    CloudBlockBlob copy = container.getBlockBlobReference("copy");
    copy.startCopy(blob);
    Patience.eventually(
        () -> {
          copy.downloadAttributes();
          assertThat(copy.getCopyState().getStatus()).isEqualTo(CopyStatus.SUCCESS);
        });
    assertThat(copy.downloadText()).isEqualTo("hello");
  }

  @Test
  @Documented("blob-rest 4.1: conditions")
  void conditionsAreChecked() throws StorageException, IOException {
    blob.uploadText("x");
    String tag = blob.getProperties().getEtag();
    blob.uploadText("y");
    expectError(
        () -> blob.uploadText("z", null, AccessCondition.generateIfMatchCondition(tag), null, null),
        412,
        "ConditionNotMet");
    expectError(
        () ->
            blob.uploadText("z", null, AccessCondition.generateIfNotExistsCondition(), null, null),
        409,
        "BlobAlreadyExists");
  }

  @Test
  @Covers(Area.PAGING)
  @Documented("blob-rest 13: listings")
  void blobsAreListedFlatByDirectoryAndInPages()
      throws StorageException, IOException, URISyntaxException {
    for (String name : List.of("a", "b/1", "b/2", "c")) {
      container.getBlockBlobReference(name).uploadText(name);
    }
    List<String> top = new ArrayList<>();
    for (ListBlobItem item : container.listBlobs()) {
      top.add(item instanceof CloudBlobDirectory each ? each.getPrefix() : name(item));
    }
    assertThat(top).containsExactlyInAnyOrder("a", "b/", "c");
    ResultSegment<ListBlobItem> page =
        container.listBlobsSegmented(
            null, true, EnumSet.noneOf(BlobListingDetails.class), 3, null, null, null);
    assertThat(page.getResults()).hasSize(3);
    ResultSegment<ListBlobItem> rest =
        container.listBlobsSegmented(
            null,
            true,
            EnumSet.of(BlobListingDetails.METADATA),
            3,
            page.getContinuationToken(),
            null,
            null);
    assertThat(rest.getResults()).extracting(LegacyBlobsConformanceTest::name).containsExactly("c");
    assertThat(rest.getHasMoreResults()).isFalse();
  }

  private static String name(ListBlobItem item) {
    return ((CloudBlob) item).getName();
  }

  @Test
  @Documented("blob-rest 9, 8.1: containers")
  void containersAreDescribedAndListed() throws StorageException {
    container.setMetadata(new HashMap<>(Map.of("owner", "ann")));
    container.uploadMetadata();
    container.downloadAttributes();
    assertThat(container.getMetadata()).containsEntry("owner", "ann");
    List<String> names = new ArrayList<>();
    client.listContainers(container.getName()).forEach(each -> names.add(each.getName()));
    assertThat(names).containsExactly(container.getName());
    assertThat(container.deleteIfExists()).isTrue();
    assertThat(container.exists()).isFalse();
  }

  @Test
  @Covers(Area.ACCESS)
  @Documented("blob-rest 7, 9.6: signatures and policies")
  void signaturesOpenWhatTheySay()
      throws StorageException, IOException, URISyntaxException, InvalidKeyException {
    blob.uploadText("hello");
    SharedAccessBlobPolicy policy = new SharedAccessBlobPolicy();
    policy.setPermissionsFromString("r");
    policy.setSharedAccessExpiryTime(Date.from(Instant.now().plus(Duration.ofHours(1))));
    CloudBlockBlob reader = held(blob.generateSharedAccessSignature(policy, null));
    assertThat(reader.downloadText()).isEqualTo("hello");
    expectError(() -> reader.uploadText("x"), 403, "AuthorizationPermissionMismatch");
    BlobContainerPermissions permissions = new BlobContainerPermissions();
    permissions.getSharedAccessPolicies().put("readers", policy);
    permissions.setPublicAccess(BlobContainerPublicAccessType.OFF);
    container.uploadPermissions(permissions);
    assertThat(container.downloadPermissions().getSharedAccessPolicies()).containsKey("readers");
    CloudBlockBlob named = held(container.generateSharedAccessSignature(null, "readers"));
    Patience.eventually(() -> assertThat(named.downloadText()).isEqualTo("hello"));
  }

  private CloudBlockBlob held(String token) throws StorageException, URISyntaxException {
    CloudBlobClient holder =
        new CloudBlobClient(
            new StorageUri(URI.create(account.base())),
            new StorageCredentialsSharedAccessSignature(token));
    holder.getDefaultRequestOptions().setRetryPolicyFactory(new RetryNoRetry());
    return holder.getContainerReference(container.getName()).getBlockBlobReference(blob.getName());
  }
}
