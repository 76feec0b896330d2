package io.lazuli.conformance.blob.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobContainerItem;
import com.azure.storage.blob.models.BlobContainerListDetails;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.ListBlobContainersOptions;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Soft delete of containers through the official Java client. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Tag("own-server")
class SdkRestoreContainerConformanceTest {

  private static List<BlobContainerItem> listed(BlobServiceClient service) {
    BlobContainerListDetails details = new BlobContainerListDetails().setRetrieveDeleted(true);
    return service
        .listBlobContainers(new ListBlobContainersOptions().setDetails(details), null)
        .stream()
        .toList();
  }

  @Test
  @Documented("blob-features 2.6: listed and restored; no such deletion")
  void aDeletedContainerIsListedAndRestored(@TempDir Path folder) {
    try (ServerProcess server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(), folder, "--container-retention-days", "7")) {
      BlobServiceClient service =
          new BlobServiceClientBuilder()
              .connectionString(server.account(StorageService.BLOB).connectionString())
              .buildClient();
      BlobContainerClient container = service.createBlobContainer("docs");
      container.getBlobClient("a").upload(BinaryData.fromString("one"));
      container.delete();
      assertThat(container.exists()).isFalse();
      BlobContainerItem deleted = listed(service).get(0);
      assertThat(deleted.isDeleted()).isTrue();
      assertThat(deleted.getProperties().getDeletedTime()).isNotNull();
      assertThat(deleted.getProperties().getRemainingRetentionDays()).isEqualTo(6);
      BlobContainerClient restored =
          service.undeleteBlobContainer(deleted.getName(), deleted.getVersion());
      assertThat(restored.getBlobClient("a").downloadContent().toString()).isEqualTo("one");
      assertThat(listed(service))
          .hasSize(1)
          .noneMatch(item -> Boolean.TRUE.equals(item.isDeleted()));
      SdkBlobs.expectRefused(
          () -> service.undeleteBlobContainer("docs", deleted.getVersion()),
          404,
          BlobErrorCode.CONTAINER_NOT_FOUND);
    }
  }
}
