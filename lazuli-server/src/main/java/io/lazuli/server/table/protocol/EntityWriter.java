package io.lazuli.server.table.protocol;

import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.service.StoredEntity;
import io.lazuli.storage.entity.EntityCursor;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes entities as JSON directly from their records, at one metadata level and with one
 * projection. Mutable; each answer uses a new writer.
 */
final class EntityWriter {
  private static final byte[] ETAG_HEAD = ascii("\"odata.etag\":\"W/\\\"datetime'");
  private static final byte[] ETAG_TAIL = ascii("'\\\"\"");
  private static final byte[] PARTITION_KEY = ascii("\"PartitionKey\":");
  private static final byte[] ROW_KEY = ascii("\"RowKey\":");
  private static final byte[] TIMESTAMP = ascii("\"Timestamp\":\"");
  private static final byte[] TYPE_TAIL = ascii("@odata.type\":\"");
  private static final byte[][] TYPE_NAMES = typeNames();

  private final String base;
  private final String account;
  private final String table;
  private final MetadataLevel level;
  private final Projection projection;
  private final EntityCursor cursor = new EntityCursor();
  private final JsonBuffer out;
  private boolean first;

  EntityWriter(
      String base,
      String account,
      String table,
      MetadataLevel level,
      Projection projection,
      int capacity) {
    this.base = base;
    this.account = account;
    this.table = table;
    this.level = level;
    this.projection = projection;
    this.out = new JsonBuffer(capacity);
  }

  /** Writes an answer with one entity. */
  byte[] single(StoredEntity entity) {
    open();
    if (level != MetadataLevel.NONE) {
      metadata("/@Element");
    }
    members(entity);
    return out.raw('}').toByteArray();
  }

  /**
   * Writes an answer with a page of entities: all of them, or those before the one with which the
   * page would be too long. Entities may be much longer as JSON than as records.
   *
   * @return the number of entities on the page, at least one if there are any
   */
  int page(List<StoredEntity> entities, AnswerBuffer answer) {
    open();
    if (level != MetadataLevel.NONE) {
      metadata("");
    }
    member("value").raw('[');
    int shown = 0;
    while (shown < entities.size() && tryAdd(entities.get(shown), shown == 0, answer)) {
      shown++;
    }
    answer.add(out.raw("]}").take());
    return shown;
  }

  /** Writes an entity of a page; writes nothing if the page would be too long. */
  private boolean tryAdd(StoredEntity entity, boolean isFirst, AnswerBuffer answer) {
    int before = out.length();
    if (!isFirst) {
      out.raw(',');
    }
    open();
    members(entity);
    out.raw('}');
    if (!isFirst && answer.isPageFull(out.length())) {
      out.truncate(before);
      return false;
    }
    answer.addIfLong(out::length, out::take);
    return true;
  }

  /** Returns the path of an entity below the account, as links show it. */
  static String path(String table, StoredEntity entity) {
    return table
        + "(PartitionKey='"
        + linkText(entity.partition())
        + "',RowKey='"
        + linkText(entity.row())
        + "')";
  }

  private static String linkText(byte[] key) {
    String text = Utf8.decode(key, 0, key.length);
    return PercentEncoding.encode(text.replace("'", "''"));
  }

  private void metadata(String element) {
    member("odata.metadata").string(base + "/$metadata#" + table + element + projection.suffix());
  }

  private void members(StoredEntity entity) {
    cursor.reset(entity.record(), 0, entity.record().length);
    if (level == MetadataLevel.FULL) {
      member("odata.type").string(account + "." + table);
      member("odata.id").string(base + "/" + path(table, entity));
    }
    if (level != MetadataLevel.NONE) {
      comma().raw(ETAG_HEAD);
      out.tagTime(cursor.ticks()).raw(ETAG_TAIL);
    }
    if (level == MetadataLevel.FULL) {
      member("odata.editLink").string(path(table, entity));
    }
    if (projection.shows("PartitionKey")) {
      comma().raw(PARTITION_KEY).string(entity.partition(), 0, entity.partition().length);
    }
    if (projection.shows("RowKey")) {
      comma().raw(ROW_KEY).string(entity.row(), 0, entity.row().length);
    }
    if (projection.shows("Timestamp")) {
      timestamp();
    }
    properties();
  }

  private void timestamp() {
    if (level == MetadataLevel.FULL) {
      member("Timestamp@odata.type").string("Edm.DateTime");
    }
    comma().raw(TIMESTAMP).time(cursor.ticks()).raw('"');
  }

  private void properties() {
    if (projection.isAll()) {
      while (cursor.next()) {
        property();
      }
      return;
    }
    for (byte[] name : projection.ownNames()) {
      if (cursor.find(name)) {
        property();
      } else {
        comma().string(name, 0, name.length).raw(":null");
      }
    }
  }

  private void property() {
    if (level != MetadataLevel.NONE && isAnnotated()) {
      comma().raw('"').raw(cursor.array(), cursor.nameOffset(), cursor.nameLength());
      out.raw(TYPE_TAIL).raw(TYPE_NAMES[cursor.tag()]).raw('"');
    }
    comma().raw('"').raw(cursor.array(), cursor.nameOffset(), cursor.nameLength());
    out.raw("\":");
    value();
  }

  /**
   * Returns whether the current property needs a type annotation. String, Int32, Boolean and finite
   * Double do not, because their JSON form shows the type (table-rest 4.3).
   */
  private boolean isAnnotated() {
    return switch (EdmType.ofTag(cursor.tag())) {
      case STRING, INT32, BOOLEAN -> false;
      case DOUBLE -> !Double.isFinite(cursor.doubleValue());
      case INT64, DATE_TIME, GUID, BINARY -> true;
    };
  }

  private JsonBuffer value() {
    return switch (EdmType.ofTag(cursor.tag())) {
      case STRING -> out.string(cursor.array(), cursor.valueOffset(), cursor.valueLength());
      case INT32 -> out.number(cursor.intValue());
      case INT64 -> out.raw('"').number(cursor.longValue()).raw('"');
      case DOUBLE -> doubleValue(cursor.doubleValue());
      case BOOLEAN -> out.raw(cursor.booleanValue() ? "true" : "false");
      case DATE_TIME -> out.raw('"').time(cursor.longValue()).raw('"');
      case GUID -> out.raw('"').guid(cursor.longValue(), cursor.secondLongValue()).raw('"');
      case BINARY ->
          out.raw('"').base64(cursor.array(), cursor.valueOffset(), cursor.valueLength()).raw('"');
    };
  }

  private JsonBuffer doubleValue(double value) {
    return Double.isFinite(value) ? out.number(value) : out.string(Double.toString(value));
  }

  private void open() {
    out.raw('{');
    first = true;
  }

  private JsonBuffer comma() {
    if (!first) {
      out.raw(',');
    }
    first = false;
    return out;
  }

  private JsonBuffer member(String name) {
    return comma().raw('"').raw(name).raw("\":");
  }

  private static byte[][] typeNames() {
    byte[][] names = new byte[EdmType.values().length + 1][];
    names[0] = new byte[0];
    for (EdmType type : EdmType.values()) {
      names[type.tag()] = ascii(type.edmName());
    }
    return names;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
