package io.lazuli.conformance.blob.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.blob.options.BlobParallelUploadOptions;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.KnownBytes;
import io.lazuli.conformance.support.MemoryWatch;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Blobs that do not fit into memory, uploaded and downloaded through the official Java client. */
@Covers(value = Area.LIMITS, service = StorageService.BLOB)
class LargeBlobsConformanceTest {

  private static final long MIB = 1 << 20;

  /**
   * The maximum growth of the server's memory. It is smaller than the smallest blob that is tested.
   */
  private static final long GROWTH_MIB_MAX = 48;

  private static void uploadInBlocks(BlobClient blob, KnownBytes known, long length) {
    ParallelTransferOptions blocks =
        new ParallelTransferOptions()
            .setBlockSizeLong(4 * MIB)
            .setMaxSingleUploadSizeLong(4 * MIB)
            .setMaxConcurrency(4);
    blob.uploadWithResponse(
        new BlobParallelUploadOptions(known.stream(length)).setParallelTransferOptions(blocks),
        null,
        Context.NONE);
  }

  private static void verify(BlobClient blob, KnownBytes known, long length) {
    assertThat(blob.getProperties().getBlobSize()).isEqualTo(length);
    KnownBytes.Comparison comparison = known.comparison();
    blob.downloadStream(comparison);
    assertThat(comparison.length()).isEqualTo(length);
    long middle = length / 2 - 3;
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    blob.downloadStreamWithResponse(
        part, new BlobRange(middle, 10L), null, null, false, null, Context.NONE);
    for (int i = 0; i < 10; i++) {
      assertThat(part.toByteArray()[i]).isEqualTo(known.at(middle + i));
    }
  }

  private static BlobClient shared() {
    return SdkBlobs.container(SdkBlobs.service()).getBlobClient("large");
  }

  @Test
  @Documented("blob-rest 20.2, 3.4: 20 MiB in blocks of 4 MiB")
  void manyBlocksMakeOneBlob() {
    BlobClient blob = shared();
    uploadInBlocks(blob, new KnownBytes(1), 20 * MIB + 1);
    verify(blob, new KnownBytes(1), 20 * MIB + 1);
  }

  @Test
  @Tag("long")
  @Documented("blob-rest 20.2, 3.4: 300 MiB in one request")
  void aLargeBlobIsPutInOneRequest() {
    BlobClient blob = shared();
    blob.getBlockBlobClient()
        .upload(new BufferedInputStream(new KnownBytes(2).stream(300 * MIB)), 300 * MIB);
    verify(blob, new KnownBytes(2), 300 * MIB);
  }

  @Test
  @Tag("long")
  @Documented("blob-rest 20.2, 3.4: a length of more than 32 bits")
  void fiveGigabytesAreOneBlob() {
    BlobClient blob = shared();
    uploadInBlocks(blob, new KnownBytes(5), 5_000_000_000L);
    verify(blob, new KnownBytes(5), 5_000_000_000L);
    blob.delete();
  }

  @Test
  @Tag("long")
  @Documented("blob-rest 20.2, 3.4: 1 GiB in blocks")
  void aGibibyteIsUploadedInBlocks() {
    BlobClient blob = shared();
    uploadInBlocks(blob, new KnownBytes(3), 1024 * MIB);
    verify(blob, new KnownBytes(3), 1024 * MIB);
  }

  @Test
  @Tag("own-server")
  @Documented("blob-rest 3.4: blobs are streamed, and memory does not grow with the blob")
  void theServersMemoryIsFlat(@TempDir Path folder, TestReporter reporter) {
    passThroughFlatMemory(folder, 64, reporter);
  }

  @Test
  @Tag("long")
  @Tag("own-server")
  @Documented("blob-rest 3.4: blobs are streamed, with a heap of a tenth of the blob")
  void theServersMemoryIsFlatForAGibibyte(@TempDir Path folder, TestReporter reporter) {
    passThroughFlatMemory(folder, 1024, reporter);
  }

  /**
   * Uploads and downloads blobs and checks the server's memory. The heap is allocated at the start,
   * so that only memory outside of the heap can grow.
   */
  private static void passThroughFlatMemory(Path folder, int mib, TestReporter reporter) {
    try (ServerProcess server =
        ServerProcess.start(
            AccountUnderTest.serverJar(), folder, "-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch")) {
      BlobContainerClient container =
          new BlobServiceClientBuilder()
              .connectionString(server.account(StorageService.BLOB).connectionString())
              .buildClient()
              .createBlobContainer("large");
      try (MemoryWatch watch = new MemoryWatch(server)) {
        passThrough(container, "first", 16);
        long before = watch.peakMib();
        passThrough(container, "large", mib);
        long after = watch.peakMib();
        reporter.publishEntry(
            "memory", "%d MiB, then %d MiB after a blob of %d MiB".formatted(before, after, mib));
        assertThat(after - before).isLessThan(GROWTH_MIB_MAX);
      }
    }
  }

  /** Uploads and downloads a blob in blocks, and one in a single request. */
  private static void passThrough(BlobContainerClient container, String name, int mib) {
    BlobClient blocks = container.getBlobClient(name);
    uploadInBlocks(blocks, new KnownBytes(4), mib * MIB);
    verify(blocks, new KnownBytes(4), mib * MIB);
    BlobClient one = container.getBlobClient(name + " in one");
    long length = mib * MIB / 4;
    one.getBlockBlobClient()
        .upload(new BufferedInputStream(new KnownBytes(5).stream(length)), length);
    verify(one, new KnownBytes(5), length);
  }
}
