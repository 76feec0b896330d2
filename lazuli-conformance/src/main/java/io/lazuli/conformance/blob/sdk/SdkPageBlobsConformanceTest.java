package io.lazuli.conformance.blob.sdk;

import static io.lazuli.conformance.blob.sdk.SdkBlobs.expectRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpRange;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.PageBlobItem;
import com.azure.storage.blob.models.PageBlobRequestConditions;
import com.azure.storage.blob.models.PageRange;
import com.azure.storage.blob.models.PageRangeItem;
import com.azure.storage.blob.models.SequenceNumberActionType;
import com.azure.storage.blob.specialized.PageBlobClient;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Page blobs through the official Java client. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
class SdkPageBlobsConformanceTest {
  private static final int PAGE = 512;

  private final BlobContainerClient container = SdkBlobs.container(SdkBlobs.service());
  private final PageBlobClient disk = container.getBlobClient("disk").getPageBlobClient();

  private static byte[] filled(int pages, int value) {
    byte[] bytes = new byte[pages * PAGE];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static PageRange pages(long first, int count) {
    return new PageRange().setStart(first * PAGE).setEnd((first + count) * PAGE - 1);
  }

  private PageBlobItem upload(long first, byte[] content) {
    return disk.uploadPages(pages(first, content.length / PAGE), new ByteArrayInputStream(content));
  }

  private static List<String> texts(Iterable<PageRangeItem> items) {
    List<String> texts = new ArrayList<>();
    for (PageRangeItem item : items) {
      texts.add((item.isClear() ? "clear " : "") + item.getRange());
    }
    return texts;
  }

  private static String text(long first, int count) {
    return new HttpRange(first * PAGE, (long) count * PAGE).toString();
  }

  @Test
  @Documented("blob-features 7.3, 7.6: pages through the client")
  void pagesAreUploadedClearedAndListed() {
    disk.create(1 << 20);
    upload(0, filled(4, 1));
    upload(1_000, filled(8, 2));
    disk.clearPages(pages(1, 2));
    byte[] content = disk.downloadContent().toBytes();
    assertThat(content).hasSize(1 << 20).startsWith(filled(1, 1));
    assertThat(Arrays.copyOfRange(content, PAGE, 3 * PAGE)).isEqualTo(new byte[2 * PAGE]);
    assertThat(Arrays.copyOfRange(content, 1_000 * PAGE, 1_008 * PAGE)).isEqualTo(filled(8, 2));
    assertThat(texts(disk.listPageRanges(new BlobRange(0))))
        .containsExactly(text(0, 1), text(3, 1), text(1_000, 8));
    assertThat(disk.getProperties().getBlobType()).isEqualTo(BlobType.PAGE_BLOB);
  }

  @Test
  @Documented("blob-features 7.6, 7.7: differences from a snapshot, through the client")
  void differencesFromASnapshotAreListed() {
    disk.create(1 << 20);
    upload(0, filled(4, 1));
    String snapshot = disk.createSnapshot().getSnapshotId();
    upload(0, filled(1, 2));
    disk.clearPages(pages(2, 1));
    assertThat(texts(disk.listPageRangesDiff(new BlobRange(0), snapshot)))
        .containsExactlyInAnyOrder(text(0, 1), "clear " + text(2, 1));
    byte[] before = disk.getSnapshotClient(snapshot).downloadContent().toBytes();
    assertThat(before).startsWith(filled(4, 1));
  }

  @Test
  @Documented("blob-features 7.1, 7.2: size and sequence number through the client")
  void sizeAndSequenceNumberChange() {
    disk.create(4 * PAGE);
    disk.resize(2 * PAGE);
    assertThat(disk.getProperties().getBlobSize()).isEqualTo(2 * PAGE);
    disk.updateSequenceNumber(SequenceNumberActionType.UPDATE, 7L);
    disk.updateSequenceNumber(SequenceNumberActionType.INCREMENT, null);
    assertThat(disk.getProperties().getBlobSequenceNumber()).isEqualTo(8);
    PageBlobRequestConditions old = new PageBlobRequestConditions().setIfSequenceNumberEqualTo(7L);
    expectRefused(
        () -> disk.clearPagesWithResponse(pages(0, 1), old, null, Context.NONE),
        412,
        BlobErrorCode.SEQUENCE_NUMBER_CONDITION_NOT_MET);
    expectRefused(() -> upload(2, filled(1, 1)), 416, BlobErrorCode.INVALID_PAGE_RANGE);
  }

  @Test
  @Documented("blob-features 7.7: copies through the client")
  void aCopyHasTheSamePages() {
    disk.create(8 * PAGE);
    upload(2, filled(2, 3));
    PageBlobClient copy = container.getBlobClient("copy").getPageBlobClient();
    copy.beginCopy(disk.getBlobUrl(), Duration.ofSeconds(1)).waitForCompletion();
    assertThat(copy.downloadContent().toBytes()).isEqualTo(disk.downloadContent().toBytes());
    assertThat(texts(copy.listPageRanges(new BlobRange(0)))).containsExactly(text(2, 2));
  }
}
