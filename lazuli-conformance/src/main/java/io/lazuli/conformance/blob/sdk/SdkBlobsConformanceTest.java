package io.lazuli.conformance.blob.sdk;

import static io.lazuli.conformance.blob.sdk.SdkBlobs.bytes;
import static io.lazuli.conformance.blob.sdk.SdkBlobs.expectRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.AppendBlobItem;
import com.azure.storage.blob.models.AppendBlobRequestConditions;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.BlockList;
import com.azure.storage.blob.models.BlockListType;
import com.azure.storage.blob.models.CopyStatusType;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.LeaseStateType;
import com.azure.storage.blob.models.LeaseStatusType;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.blob.models.TaggedBlobItem;
import com.azure.storage.blob.options.AppendBlobAppendBlockOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import com.azure.storage.blob.options.BlobUploadFromFileOptions;
import com.azure.storage.blob.options.BlockBlobOutputStreamOptions;
import com.azure.storage.blob.specialized.AppendBlobClient;
import com.azure.storage.blob.specialized.BlobInputStream;
import com.azure.storage.blob.specialized.BlobLeaseClient;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import com.azure.storage.blob.specialized.BlobOutputStream;
import com.azure.storage.blob.specialized.BlockBlobClient;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Patience;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blobs through the official Java client. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class SdkBlobsConformanceTest {

  private static final BlobServiceClient SERVICE = SdkBlobs.service();
  private static final int MIB = 1 << 20;

  private final BlobContainerClient container = SdkBlobs.container(SERVICE);
  private final BlobClient blob = container.getBlobClient("dir/a b+ü.txt");

  @ParameterizedTest
  @ValueSource(strings = {"dir/a b+ü#?%.txt", "..", "a.", "a/", "x//y", "100%", "\u65E5\u672C"})
  @Documented("blob-rest 20.1: names through the client")
  void anyNameWorks(String name) {
    BlobClient named = container.getBlobClient(name);
    named.upload(BinaryData.fromString(name));
    assertThat(named.downloadContent().toString()).isEqualTo(name);
    assertThat(container.listBlobs()).extracting(BlobItem::getName).containsExactly(name);
    named.delete();
    assertThat(named.exists()).isFalse();
  }

  @Test
  @Documented("blob-rest 17, 20.2: small uploads, with and without overwriting")
  void aSmallUploadOverwritesOnDemand() {
    blob.upload(BinaryData.fromString("first"));
    assertThat(blob.downloadContent().toString()).isEqualTo("first");
    expectRefused(
        () -> blob.upload(BinaryData.fromString("second")), 409, BlobErrorCode.BLOB_ALREADY_EXISTS);
    blob.upload(BinaryData.fromString("second"), true);
    assertThat(blob.downloadContent().toString()).isEqualTo("second");
  }

  @Test
  @Documented("blob-rest 17, 20.2: empty blobs, read in every way")
  void anEmptyBlobIsReadInEveryWay(@TempDir Path folder) throws IOException {
    blob.upload(BinaryData.fromBytes(new byte[0]));
    assertThat(blob.downloadContent().toBytes()).isEmpty();
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    blob.downloadStream(stream);
    assertThat(stream.size()).isZero();
    try (BlobInputStream in = blob.openInputStream()) {
      assertThat(in.readAllBytes()).isEmpty();
    }
    Path file = folder.resolve("empty");
    blob.downloadToFile(file.toString());
    assertThat(file).isEmptyFile();
  }

  private static ParallelTransferOptions blocksOf(int bytes) {
    return new ParallelTransferOptions()
        .setBlockSizeLong((long) bytes)
        .setMaxConcurrency(4)
        .setMaxSingleUploadSizeLong((long) bytes);
  }

  @Test
  @Documented("blob-rest 17, 20.2: 8 MiB in parallel blocks, bytes equal")
  void parallelBlocksMakeOneBlob(@TempDir Path folder) throws IOException {
    byte[] content = bytes(8 * MIB + 17);
    Path file = folder.resolve("up");
    Files.write(file, content);
    blob.uploadFromFileWithResponse(
        new BlobUploadFromFileOptions(file.toString())
            .setParallelTransferOptions(blocksOf(MIB))
            .setMetadata(Map.of("owner", "ann")),
        null,
        Context.NONE);
    assertThat(blob.getProperties().getBlobSize()).isEqualTo(content.length);
    assertThat(blob.getProperties().getMetadata()).containsEntry("owner", "ann");
    assertThat(blob.getBlockBlobClient().listBlocks(BlockListType.ALL).getCommittedBlocks())
        .hasSize(9);
    Path down = folder.resolve("down");
    blob.downloadToFileWithResponse(
        down.toString(), null, blocksOf(MIB), null, null, false, null, Context.NONE);
    assertThat(Files.readAllBytes(down)).isEqualTo(content);
    assertThat(blob.downloadContent().toBytes()).isEqualTo(content);
  }

  @Test
  @Documented("blob-rest 17: an upload from a stream of unknown length")
  void aStreamIsUploadedInBlocks() {
    byte[] content = bytes(3 * MIB + 5);
    blob.uploadWithResponse(
        new BlobParallelUploadOptions(new ByteArrayInputStream(content))
            .setParallelTransferOptions(blocksOf(MIB))
            .setHeaders(new BlobHttpHeaders().setContentType("image/png"))
            .setTier(AccessTier.COOL),
        null,
        Context.NONE);
    assertThat(blob.downloadContent().toBytes()).isEqualTo(content);
    assertThat(blob.getProperties().getContentType()).isEqualTo("image/png");
    assertThat(blob.getProperties().getAccessTier()).isEqualTo(AccessTier.COOL);
  }

  @Test
  @Documented("blob-rest 17: streams in and out")
  void streamsReadAndWrite() throws IOException {
    byte[] content = bytes(2 * MIB + 3);
    BlockBlobClient block = blob.getBlockBlobClient();
    try (BlobOutputStream out =
        block.getBlobOutputStream(
            new BlockBlobOutputStreamOptions().setParallelTransferOptions(blocksOf(MIB)))) {
      out.write(content);
    }
    try (BlobInputStream in = blob.openInputStream()) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
    try (BlobInputStream in = blob.openInputStream(new BlobRange(MIB, 10L), null)) {
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, MIB, MIB + 10));
    }
  }

  @Test
  @Documented("blob-rest 10.2, 20.6: ranges and their checksums")
  void rangesAreRead() {
    blob.upload(BinaryData.fromString("hello world"));
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    blob.downloadStreamWithResponse(
        part, new BlobRange(6, 99L), new DownloadRetryOptions(), null, true, null, Context.NONE);
    assertThat(part.toString(StandardCharsets.UTF_8)).isEqualTo("world");
    expectRefused(
        () ->
            blob.downloadStreamWithResponse(
                part, new BlobRange(50), null, null, false, null, Context.NONE),
        416,
        BlobErrorCode.INVALID_RANGE);
  }

  @Test
  @Documented("blob-rest 11, 20.7: staging and committing blocks")
  void blocksAreStagedAndCommitted() {
    BlockBlobClient block = blob.getBlockBlobClient();
    List<String> ids = new ArrayList<>();
    for (String text : List.of("one ", "two ", "three ")) {
      String id = ScratchContainer.blockId("%05d".formatted(ids.size()));
      ids.add(id);
      block.stageBlock(id, BinaryData.fromString(text));
    }
    BlockList before = block.listBlocks(BlockListType.ALL);
    assertThat(before.getUncommittedBlocks()).hasSize(3);
    assertThat(before.getCommittedBlocks()).isEmpty();
    assertThat(block.exists()).isFalse();
    block.commitBlockList(List.of(ids.get(2), ids.get(0)));
    assertThat(blob.downloadContent().toString()).isEqualTo("three one ");
    expectRefused(
        () -> block.commitBlockList(List.of(ids.get(1)), true),
        400,
        BlobErrorCode.INVALID_BLOCK_LIST);
  }

  @Test
  @Documented("blob-rest 12, 20.8: append blobs")
  void anAppendBlobGrows() {
    AppendBlobClient log = blob.getAppendBlobClient();
    log.create();
    AppendBlobItem first = append(log, "line1\n", new AppendBlobRequestConditions());
    assertThat(first.getBlobAppendOffset()).isEqualTo("0");
    AppendBlobItem second =
        append(log, "line2\n", new AppendBlobRequestConditions().setAppendPosition(6L));
    assertThat(second.getBlobCommittedBlockCount()).isEqualTo(2);
    expectRefused(
        () -> append(log, "x", new AppendBlobRequestConditions().setAppendPosition(6L)),
        412,
        BlobErrorCode.APPEND_POSITION_CONDITION_NOT_MET);
    expectRefused(
        () -> append(log, "x", new AppendBlobRequestConditions().setMaxSize(12L)),
        412,
        BlobErrorCode.MAX_BLOB_SIZE_CONDITION_NOT_MET);
    assertThat(log.createIfNotExists()).isNull();
    assertThat(blob.downloadContent().toString()).isEqualTo("line1\nline2\n");
    assertThat(log.getProperties().getBlobType()).isEqualTo(BlobType.APPEND_BLOB);
  }

  private static AppendBlobItem append(
      AppendBlobClient log, String text, AppendBlobRequestConditions conditions) {
    return log.appendBlockWithResponse(
            new AppendBlobAppendBlockOptions(BinaryData.fromString(text))
                .setRequestConditions(conditions),
            null,
            Context.NONE)
        .getValue();
  }

  @Test
  @Documented("blob-rest 12, 17: a stream that appends")
  void aStreamAppends() throws IOException {
    AppendBlobClient log = blob.getAppendBlobClient();
    log.create();
    for (String line : List.of("one\n", "two\n")) {
      try (BlobOutputStream out = log.getBlobOutputStream()) {
        out.write(line.getBytes(StandardCharsets.UTF_8));
      }
    }
    assertThat(blob.downloadContent().toString()).isEqualTo("one\ntwo\n");
  }

  @Test
  @Documented("blob-rest 12.4: sealing")
  void aLogIsSealed() {
    AppendBlobClient log = blob.getAppendBlobClient();
    log.create();
    log.seal();
    assertThat(log.getProperties().isSealed()).isTrue();
    expectRefused(
        () -> append(log, "x", new AppendBlobRequestConditions()),
        409,
        BlobErrorCode.fromString("BlobIsSealed"));
  }

  @Test
  @Documented("blob-rest 5, 20.9: leases")
  void aLeaseKeepsOthersOut() {
    blob.upload(BinaryData.fromString("x"));
    BlobLeaseClient lease = new BlobLeaseClientBuilder().blobClient(blob).buildClient();
    String id = lease.acquireLease(15);
    BlobProperties properties = blob.getProperties();
    assertThat(properties.getLeaseState()).isEqualTo(LeaseStateType.LEASED);
    assertThat(properties.getLeaseStatus()).isEqualTo(LeaseStatusType.LOCKED);
    expectRefused(() -> blob.setMetadata(Map.of("a", "b")), 412, BlobErrorCode.LEASE_ID_MISSING);
    BlobRequestConditions holder = new BlobRequestConditions().setLeaseId(id);
    blob.setMetadataWithResponse(Map.of("a", "b"), holder, null, Context.NONE);
    lease.renewLease();
    String changed = lease.changeLease("22222222-bbbb-4bbb-8bbb-222222222222");
    assertThat(changed).isEqualTo("22222222-bbbb-4bbb-8bbb-222222222222");
    assertThat(lease.breakLease()).isBetween(1, 15);
    lease.releaseLease();
    assertThat(blob.getProperties().getLeaseState()).isEqualTo(LeaseStateType.AVAILABLE);
  }

  @Test
  @Documented("blob-rest 5.2: leases of containers")
  void aContainerIsLeased() {
    BlobLeaseClient lease = new BlobLeaseClientBuilder().containerClient(container).buildClient();
    String id = lease.acquireLease(-1);
    expectRefused(container::delete, 412, BlobErrorCode.LEASE_ID_MISSING);
    container.deleteWithResponse(new BlobRequestConditions().setLeaseId(id), null, Context.NONE);
    assertThat(container.exists()).isFalse();
  }

  @Test
  @Documented("blob-rest 10.7, 10.6, 20.10: snapshots")
  void snapshotsAreTakenListedAndDeleted() {
    blob.upload(BinaryData.fromString("first"));
    String snapshot = blob.createSnapshot().getSnapshotId();
    blob.upload(BinaryData.fromString("second"), true);
    assertThat(blob.getSnapshotClient(snapshot).downloadContent().toString()).isEqualTo("first");
    ListBlobsOptions all =
        new ListBlobsOptions().setDetails(new BlobListDetails().setRetrieveSnapshots(true));
    assertThat(container.listBlobs(all, null))
        .extracting(BlobItem::getSnapshot)
        .containsExactly(snapshot, null);
    expectRefused(blob::delete, 409, BlobErrorCode.SNAPSHOTS_PRESENT);
    blob.deleteWithResponse(DeleteSnapshotsOptionType.INCLUDE, null, null, Context.NONE);
    assertThat(blob.deleteIfExists()).isFalse();
  }

  @Test
  @Documented("blob-rest 10.8, 17: copies, asynchronous and synchronous")
  void copiesAreMade() {
    blob.upload(BinaryData.fromString("hello"));
    blob.setMetadata(Map.of("owner", "ann"));
    BlobClient copy = container.getBlobClient("copy");
    assertThat(
            copy.beginCopy(blob.getBlobUrl(), Duration.ofMillis(100))
                .waitForCompletion(Duration.ofSeconds(30))
                .getValue()
                .getCopyStatus())
        .isEqualTo(CopyStatusType.SUCCESS);
    assertThat(copy.downloadContent().toString()).isEqualTo("hello");
    assertThat(copy.getProperties().getMetadata()).containsEntry("owner", "ann");
    assertThat(copy.getProperties().getCopyStatus()).isEqualTo(CopyStatusType.SUCCESS);
  }

  @Test
  @Documented("blob-rest 10.9, 17: uploads from a URL")
  @Differs("Azurite 3.37.0 does not have it")
  void aBlobIsUploadedFromAUrl() {
    blob.upload(BinaryData.fromString("hello"));
    BlockBlobClient copy = container.getBlobClient("copy").getBlockBlobClient();
    String readable = blob.getBlobUrl() + "?" + SdkBlobAccessConformanceTest.readToken(blob);
    copy.uploadFromUrl(readable);
    assertThat(copy.downloadContent().toString()).isEqualTo("hello");
    expectRefused(() -> copy.uploadFromUrl(readable), 409, BlobErrorCode.BLOB_ALREADY_EXISTS);
    assertThat(container.getBlobClient("other").copyFromUrl(readable)).isNotEmpty();
  }

  @Test
  @Documented("blob-features 1.4: findBlobsByTags of the container and of the account")
  void blobsAreFoundByTheirTags() {
    BlobClient blob = container.getBlobClient("found");
    blob.upload(BinaryData.fromString("x"));
    blob.setTags(Map.of("project", "lazuli", "stage", "test"));
    String here = "@container='" + container.getBlobContainerName() + "' AND ";
    Patience.eventually(
        () -> {
          assertThat(container.findBlobsByTags("project='lazuli'"))
              .extracting(TaggedBlobItem::getName, TaggedBlobItem::getTags)
              .containsExactly(tuple("found", Map.of("project", "lazuli")));
          assertThat(SERVICE.findBlobsByTags(here + "\"stage\" >= 'test'"))
              .extracting(TaggedBlobItem::getName)
              .containsExactly("found");
        });
    BlobRequestConditions tagged =
        new BlobRequestConditions().setTagsConditions("project = 'other'");
    expectRefused(
        () -> blob.getPropertiesWithResponse(tagged, null, Context.NONE),
        412,
        BlobErrorCode.CONDITION_NOT_MET);
  }

  @Test
  @Documented("blob-rest 10.4, 10.5, 10.11, 10.10: metadata, headers, tags, tiers")
  void metadataHeadersAndTagsAreChanged() {
    blob.upload(BinaryData.fromString("x"));
    blob.setMetadata(Map.of("a", "1"));
    blob.setHttpHeaders(
        new BlobHttpHeaders()
            .setContentType("text/plain")
            .setCacheControl("no-cache")
            .setContentLanguage("de")
            .setContentDisposition("inline"));
    blob.setTags(Map.of("k", "v", "l", "w"));
    blob.setAccessTier(AccessTier.COOL);
    BlobProperties properties = blob.getProperties();
    assertThat(properties.getMetadata()).containsExactly(Map.entry("a", "1"));
    assertThat(properties.getContentType()).isEqualTo("text/plain");
    assertThat(properties.getContentLanguage()).isEqualTo("de");
    assertThat(properties.getTagCount()).isEqualTo(2);
    assertThat(properties.getAccessTier()).isEqualTo(AccessTier.COOL);
    assertThat(blob.getTags()).isEqualTo(Map.of("k", "v", "l", "w"));
  }

  @Test
  @Documented("blob-rest 4.1, 20.5: conditions")
  void conditionsAreChecked() {
    blob.upload(BinaryData.fromString("x"));
    String tag = blob.getProperties().getETag();
    BlobRequestConditions match = new BlobRequestConditions().setIfMatch(tag);
    blob.setMetadataWithResponse(Map.of("a", "1"), match, null, Context.NONE);
    expectRefused(
        () -> blob.setMetadataWithResponse(Map.of("a", "2"), match, null, Context.NONE),
        412,
        BlobErrorCode.CONDITION_NOT_MET);
    BlobRequestConditions changed =
        new BlobRequestConditions().setIfNoneMatch(blob.getProperties().getETag());
    expectRefused(
        () -> blob.downloadContentWithResponse(null, changed, null, Context.NONE),
        304,
        BlobErrorCode.CONDITION_NOT_MET);
  }
}
