package io.lazuli.examples;

import com.azure.storage.blob.BlobContainerAsyncClient;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.large.AsyncLargeTable;
import io.lazuli.client.pattern.large.LargeOptions;
import io.lazuli.client.pattern.large.LargeTable;
import io.lazuli.client.table.AsyncTable;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * The photos of the Table Design Guide: too large for an entity, so they are in blobs, and the
 * entities have their addresses. Takes a connection string.
 */
public final class PhotosExample {
  /** A photo of an employee, with the employee's keys. */
  public record Photo(@PartitionKey String department, @RowKey String id, byte[] picture) {}

  private static final Duration PAUSE = Duration.ofSeconds(3);

  private final LargeTable<Photo> photos;
  private final AsyncTable<Photo> rows;

  public PhotosExample(Account account) {
    BlobContainerAsyncClient container = account.container("photos");
    rows = AsyncTable.of(account.table("Photos"), Photo.class);
    // snippet
    photos =
        AsyncLargeTable.of(AsyncTable.of(account.table("Photos"), Photo.class), container)
            .blocking();
    // end
  }

  public static void main(String[] args) {
    PhotosExample example = new PhotosExample(Account.of(args));
    example.put("Sales", "000123", new byte[300 << 10]);
    System.out.println(example.bytes("Sales", "000123") + " bytes");
    example.abandon("Sales", "000124", new byte[300 << 10]);
    System.out.println(example.collectOrphans() + " orphans older than an hour removed");
    System.out.println(example.collectSoon() + " older than a second");
  }

  /** Stores the blob first, then the entity with its address. */
  public void put(String department, String id, byte[] picture) {
    photos.put(new Photo(department, id, picture));
  }

  public int bytes(String department, String id) {
    return photos.find(new EntityKey(department, id)).orElseThrow().picture().length;
  }

  /**
   * Leaves an orphaned blob: deletes the entity the way a client does that does not know about
   * blobs.
   */
  public void abandon(String department, String id, byte[] picture) {
    put(department, id, picture);
    rows.deleteIfExists(new EntityKey(department, id)).block();
  }

  /** Removes orphans that are older than an hour. */
  public long collectOrphans() {
    return photos.collectOrphans();
  }

  /**
   * Removes orphans that are older than a second, after a pause; safe only while nobody else
   * writes.
   */
  public long collectSoon() {
    LargeOptions hasty = LargeOptions.DEFAULT.withWriteMax(Duration.ofMillis(500));
    return Mono.delay(PAUSE)
        .then(photos.async().with(hasty).collectOrphans())
        .blockOptional()
        .orElseThrow();
  }
}
