package io.lazuli.client.pattern.wide;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.WriteMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Splits a wide entity into parts and joins them. */
final class Parts {
  static final String VERSION = "WideVersion";
  static final String COUNT = "WideParts";

  private static final int PARTS_MAX = 100;
  private static final int PROPERTIES_MAX = 250;

  /** The limit is 1 MiB; the remainder is enough for keys, version and count. */
  private static final long STORED_MAX = (1L << 20) - 8_192;

  /** The limit is 4 MiB; each part has its own header in the request, with its key. */
  private static final long SENT_MAX = 4L << 20;

  private static final long ENVELOPE_SENT = 1_500;
  private static final String TIMESTAMP = "Timestamp";
  private static final String E_TAG = "odata.etag";

  private Parts() {}

  static String rowKey(EntityKey key, int part) {
    return key.rowKey() + String.format(Locale.ROOT, "~%02d", part);
  }

  /**
   * Returns whether a row key is the row key of a part of this entity. Parts of an entity whose own
   * row key looks like a part do not match.
   */
  static boolean isPart(EntityKey key, String rowKey) {
    return rowKey.length() == key.rowKey().length() + 3 && rowKey.startsWith(key.rowKey() + "~");
  }

  /** Splits an entity into parts with a new, unique version. */
  static List<TableEntity> split(TableEntity whole) {
    EntityKey key = EntityKey.of(whole);
    List<TableEntity> parts = new ArrayList<>();
    parts.add(part(key, 0));
    int properties = 0;
    Size size = new Size(0, 0);
    long sent = ENVELOPE_SENT;
    for (Map.Entry<String, Object> property : whole.getProperties().entrySet()) {
      if (isSystem(property.getKey()) || property.getValue() == null) {
        continue;
      }
      Size more = Size.of(property.getKey(), property.getValue());
      if (properties == PROPERTIES_MAX || size.plus(more).stored() > STORED_MAX) {
        parts.add(part(key, parts.size()));
        properties = 0;
        size = new Size(0, 0);
        sent += ENVELOPE_SENT;
      }
      parts.get(parts.size() - 1).addProperty(property.getKey(), property.getValue());
      properties++;
      size = size.plus(more);
      sent += more.sent();
    }
    return versioned(key, parts, sent);
  }

  private static TableEntity part(EntityKey key, int index) {
    return new TableEntity(key.partitionKey(), rowKey(key, index));
  }

  private static List<TableEntity> versioned(EntityKey key, List<TableEntity> parts, long sent) {
    if (parts.size() > PARTS_MAX || sent > SENT_MAX) {
      throw new IllegalArgumentException(
          key
              + " needs "
              + parts.size()
              + " parts and a request of about "
              + sent
              + " bytes; a transaction can have 100 and 4 MiB. Put large values into blobs"
              + " (io.lazuli.client.pattern.large, P11)");
    }
    String version = UUID.randomUUID().toString();
    parts.forEach(part -> part.addProperty(VERSION, version).addProperty(COUNT, parts.size()));
    return parts;
  }

  /**
   * Adds the marks of changes to the version, because a full part has no room for another property.
   */
  static void mark(List<TableEntity> parts, Object marks) {
    String version = parts.get(0).getProperty(VERSION) + " " + marks;
    parts.forEach(part -> part.addProperty(VERSION, version));
  }

  /** Returns the first part with its marks where {@link WriteMark} looks for them. */
  static TableEntity marked(TableEntity first) {
    TableEntity marked =
        new TableEntity(first.getPartitionKey(), first.getRowKey())
            .setProperties(first.getProperties());
    String version = String.valueOf(first.getProperty(VERSION));
    int end = version.indexOf(' ');
    return end < 0 ? marked : marked.addProperty(WriteMark.PROPERTY, version.substring(end + 1));
  }

  private static boolean isSystem(String name) {
    return name.equals("PartitionKey")
        || name.equals("RowKey")
        || name.equals(TIMESTAMP)
        || name.startsWith("odata.")
        || name.contains("@odata.")
        || name.equals(VERSION)
        || name.equals(COUNT);
  }

  /** Returns whether these are all parts of one version, in order. */
  static boolean isWhole(EntityKey key, List<TableEntity> parts) {
    TableEntity head = parts.get(0);
    if (!Integer.valueOf(parts.size()).equals(head.getProperty(COUNT))) {
      return false;
    }
    Object version = head.getProperty(VERSION);
    for (int i = 0; i < parts.size(); i++) {
      TableEntity part = parts.get(i);
      if (!part.getRowKey().equals(rowKey(key, i))
          || version == null
          || !version.equals(part.getProperty(VERSION))) {
        return false;
      }
    }
    return true;
  }

  /** Joins the parts, with the ETag and the Timestamp of the first part. */
  static TableEntity join(EntityKey key, List<TableEntity> parts) {
    TableEntity whole = new TableEntity(key.partitionKey(), key.rowKey());
    for (TableEntity part : parts) {
      part.getProperties()
          .forEach(
              (name, value) -> {
                if (!isSystem(name)) {
                  whole.addProperty(name, value);
                }
              });
    }
    TableEntity head = parts.get(0);
    return whole.addProperty(E_TAG, head.getETag()).addProperty(TIMESTAMP, head.getTimestamp());
  }

  /** Returns the part that has a property. */
  static Optional<TableEntity> holding(List<TableEntity> parts, String property) {
    return parts.stream()
        .filter(part -> !isSystem(property) && part.getProperties().containsKey(property))
        .findFirst();
  }
}
