package io.lazuli.client.pattern.indexlist;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * Stores lists in entities: in binary properties {@code Keys00} to {@code Keys14} of 64 KiB each,
 * together {@value #BYTES_MAX} bytes. This leaves room for keys and names in the 1 MiB of an
 * entity. A larger list is stored in a blob, and the entity stores the blob's name. A blob is
 * written only once: each write of the list creates a new blob.
 *
 * @param overflow stores larger lists; empty if they are rejected
 */
record ListEntities(Optional<ListBlobs> overflow) {
  static final int BYTES_MAX = 15 * 64 * 1024;

  /** The number of keys. Zero means that the list may be swept. */
  static final String COUNT = "LazuliKeyCount";

  /** The index that the list belongs to, if empty lists are swept. */
  static final String INDEX = "LazuliIndex";

  static final String BLOB = "LazuliKeysBlob";

  private static final int PROPERTY_BYTES_MAX = 64 * 1024;

  /** Returns the entity of a list; a large list is uploaded first. */
  Mono<TableEntity> write(EntityKey key, KeyList list) {
    byte[] bytes = list.bytes();
    TableEntity entity =
        new TableEntity(key.partitionKey(), key.rowKey()).addProperty(COUNT, list.keys().size());
    if (bytes.length <= BYTES_MAX) {
      return Mono.fromSupplier(() -> withProperties(entity, bytes));
    }
    return overflow
        .map(blobs -> blobs.upload(key, bytes))
        .orElseGet(() -> Mono.error(new ListFull(key, bytes.length)))
        .map(blob -> entity.addProperty(BLOB, blob));
  }

  private static TableEntity withProperties(TableEntity entity, byte[] bytes) {
    for (int from = 0, number = 0; from < bytes.length; from += PROPERTY_BYTES_MAX, number++) {
      int end = Math.min(bytes.length, from + PROPERTY_BYTES_MAX);
      entity.addProperty(property(number), Arrays.copyOfRange(bytes, from, end));
    }
    return entity;
  }

  /**
   * Returns the list of an entity; empty if its blob does not exist, because the stored entity now
   * names another blob.
   */
  Mono<KeyList> read(TableEntity entity) {
    if (entity.getProperty(BLOB) instanceof String blob) {
      return Mono.justOrEmpty(overflow)
          .switchIfEmpty(
              Mono.error(
                  () ->
                      new IllegalStateException(
                          EntityKey.of(entity) + " is in a blob; configure a container")))
          .flatMap(blobs -> blobs.download(blob))
          .map(KeyList::parse);
    }
    return Mono.fromSupplier(() -> KeyList.parse(properties(entity)));
  }

  private static byte[] properties(TableEntity entity) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int number = 0;
    while (entity.getProperty(property(number)) instanceof byte[] part) {
      bytes.writeBytes(part);
      number++;
    }
    return bytes.toByteArray();
  }

  private static String property(int number) {
    return (number < 10 ? "Keys0" : "Keys") + number;
  }
}
