package io.lazuli.conformance.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
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
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blobs that do not fit into memory, through the official Java client. */
@Covers(value = Area.LIMITS, service = StorageService.BLOB)
class LargeBlobsConformanceTest {

  private static final long MIB = 1 << 20;

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
  @Documented("blob-rest 20.2, 3.4: 64 MiB in blocks of 4 MiB")
  void manyBlocksMakeOneBlob() {
    BlobClient blob = shared();
    uploadInBlocks(blob, new KnownBytes(1), 64 * MIB + 1);
    verify(blob, new KnownBytes(1), 64 * MIB + 1);
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
  @Documented("blob-rest 20.2, 3.4: 1 GiB in blocks")
  void aGibibyteIsUploadedInBlocks() {
    BlobClient blob = shared();
    uploadInBlocks(blob, new KnownBytes(3), 1024 * MIB);
    verify(blob, new KnownBytes(3), 1024 * MIB);
  }

  @Test
  @Tag("long")
  @Tag("own-server")
  @Documented("blob-rest 3.4: streamed, with a heap of a tenth of the blob")
  void theServersMemoryIsFlat(@TempDir Path folder) {
    try (ServerProcess server =
        ServerProcess.start(AccountUnderTest.serverJar(), folder, "-Xmx100m")) {
      BlobServiceClient service =
          new BlobServiceClientBuilder()
              .connectionString(server.account(StorageService.BLOB).connectionString())
              .buildClient();
      BlobContainerClient container = service.createBlobContainer("large");
      BlobClient blob = container.getBlobClient("blocks");
      uploadInBlocks(blob, new KnownBytes(4), 1024 * MIB);
      verify(blob, new KnownBytes(4), 1024 * MIB);
      BlobClient one = container.getBlobClient("one");
      one.getBlockBlobClient()
          .upload(new BufferedInputStream(new KnownBytes(5).stream(256 * MIB)), 256 * MIB);
      verify(one, new KnownBytes(5), 256 * MIB);
    }
  }
}
