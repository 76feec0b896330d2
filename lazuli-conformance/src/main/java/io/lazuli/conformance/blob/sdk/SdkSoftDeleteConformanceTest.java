package io.lazuli.conformance.blob.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobRetentionPolicy;
import com.azure.storage.blob.models.BlobServiceProperties;
import com.azure.storage.blob.models.ListBlobsOptions;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Soft delete through the official Java client. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Isolated("while it is on, deletions of all cases have other answers")
class SdkSoftDeleteConformanceTest {

  private static final BlobServiceClient SERVICE = SdkBlobs.service();

  private final BlobContainerClient container = SdkBlobs.container(SERVICE);
  private final BlobClient blob = container.getBlobClient("a");

  @BeforeEach
  void switchOn() {
    retain(new BlobRetentionPolicy().setEnabled(true).setDays(3));
  }

  @AfterEach
  void switchOff() {
    retain(new BlobRetentionPolicy().setEnabled(false));
  }

  private static void retain(BlobRetentionPolicy policy) {
    SERVICE.setProperties(new BlobServiceProperties().setDeleteRetentionPolicy(policy));
  }

  private List<BlobItem> deleted() {
    BlobListDetails details =
        new BlobListDetails().setRetrieveDeletedBlobs(true).setRetrieveSnapshots(true);
    return container.listBlobs(new ListBlobsOptions().setDetails(details), null).stream()
        .filter(item -> Boolean.TRUE.equals(item.isDeleted()))
        .toList();
  }

  @Test
  @Documented("blob-features 2.1: the retention is returned")
  void theRetentionIsReturned() {
    BlobRetentionPolicy policy = SERVICE.getProperties().getDeleteRetentionPolicy();
    assertThat(policy.isEnabled()).isTrue();
    assertThat(policy.getDays()).isEqualTo(3);
  }

  @Test
  @Documented("blob-features 2.3, 2.4: listed and restored")
  @Differs("Azurite 3.37.0 stores the setting and does not keep blobs")
  void aDeletedBlobIsListedAndRestored() {
    blob.upload(BinaryData.fromString("one"));
    blob.upload(BinaryData.fromString("two"), true);
    blob.delete();
    assertThat(blob.exists()).isFalse();
    List<BlobItem> deleted = deleted();
    assertThat(deleted).hasSize(2);
    assertThat(deleted.get(0).getSnapshot()).isNotNull();
    assertThat(deleted.get(1).getSnapshot()).isNull();
    assertThat(deleted.get(1).getProperties().getDeletedTime()).isNotNull();
    assertThat(deleted.get(1).getProperties().getRemainingRetentionDays()).isEqualTo(2);
    blob.undelete();
    assertThat(blob.downloadContent().toString()).isEqualTo("two");
    assertThat(blob.getSnapshotClient(deleted.get(0).getSnapshot()).downloadContent().toString())
        .isEqualTo("one");
    assertThat(deleted()).isEmpty();
  }

  @Test
  @Documented("blob-features 2.3: a name that never existed")
  @Differs("Azurite 3.37.0 has no Undelete Blob")
  void aNameThatNeverExistedIsNotRestored() {
    SdkBlobs.expectRefused(
        () -> container.getBlobClient("never").undelete(), 404, BlobErrorCode.BLOB_NOT_FOUND);
  }
}
