package io.lazuli.client.table;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Splits writes into batches that the service accepts. */
final class Chunks {
  private static final int WRITES_MAX = 100;

  /**
   * Below the service's limit of 4 MiB, because the size of the multipart format is an estimate.
   */
  private static final long BYTES_MAX = 3_900_000;

  /** Request line, with the key, and headers of one write in a batch. */
  private static final long ENVELOPE_BYTES = 1_000;

  private static final long VALUE_BYTES = 64;

  private Chunks() {}

  /** Returns the writes of each partition, in their order, split into batches. */
  static List<List<List<PlannedWrite>>> byPartition(List<PlannedWrite> writes) {
    Map<String, List<PlannedWrite>> partitions = new LinkedHashMap<>();
    for (PlannedWrite write : writes) {
      partitions.computeIfAbsent(write.key().partitionKey(), key -> new ArrayList<>()).add(write);
    }
    return partitions.values().stream().map(Chunks::of).toList();
  }

  /** Starts a new batch when an entity is written again: a batch may write an entity only once. */
  private static List<List<PlannedWrite>> of(List<PlannedWrite> writes) {
    List<List<PlannedWrite>> chunks = new ArrayList<>();
    List<PlannedWrite> chunk = new ArrayList<>();
    Set<EntityKey> keys = new HashSet<>();
    long bytes = 0;
    for (PlannedWrite write : writes) {
      long more = bytes(write.entity());
      boolean full = chunk.size() == WRITES_MAX || bytes + more > BYTES_MAX;
      if (!chunk.isEmpty() && (full || keys.contains(write.key()))) {
        chunks.add(List.copyOf(chunk));
        chunk.clear();
        keys.clear();
        bytes = 0;
      }
      chunk.add(write);
      keys.add(write.key());
      bytes += more;
    }
    chunks.add(List.copyOf(chunk));
    return chunks;
  }

  /** Returns an upper estimate of the bytes that a write adds to a request. */
  static long bytes(TableEntity entity) {
    long bytes = ENVELOPE_BYTES;
    for (Map.Entry<String, Object> property : entity.getProperties().entrySet()) {
      bytes += 2 * textBytes(property.getKey()) + VALUE_BYTES;
      if (property.getValue() instanceof String text) {
        bytes += textBytes(text);
      } else if (property.getValue() instanceof byte[] binary) {
        bytes += (binary.length + 2) / 3 * 4L;
      }
    }
    return bytes;
  }

  /**
   * Returns the size as JSON: six bytes for a control character, at most three for any other
   * character.
   */
  private static long textBytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each < ' ') {
        bytes += 6;
      } else if (each < 0x80) {
        bytes += each == '"' || each == '\\' ? 2 : 1;
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }
}
