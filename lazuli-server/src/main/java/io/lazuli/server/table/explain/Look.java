package io.lazuli.server.table.explain;

import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.entity.EntityCursor;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody saw who read the first entities of a query: how many, how many of them match, and
 * the types of their properties. Mutable, for one scan.
 */
public final class Look {
  /** The maximum number of property names that are kept. */
  private static final int NAMES_MAX = 1_000;

  /** The maximum characters of a text that is compared without regard to case. */
  private static final int TEXT_CHARS_MAX = 256;

  private final Map<String, Map<EdmType, Long>> types = new LinkedHashMap<>();
  private final EntityCursor cursor = new EntityCursor();
  private final @Nullable String caseProperty;
  private final @Nullable String caseText;
  private @Nullable String otherCase;
  private @Nullable Bytes partition;
  private long partitions;
  private long read;
  private long matched;
  private long bytes;
  private boolean ended;

  /**
   * @param caseProperty a property whose text may be there in another case; null for none
   * @param caseText the text; null for none
   */
  public Look(@Nullable String caseProperty, @Nullable String caseText) {
    this.caseProperty = caseProperty;
    this.caseText = caseText;
  }

  /** Returns a look that only has figures: those of a page of a query. */
  public static Look ofPage(long read, long matched, long bytes) {
    Look look = new Look(null, null);
    look.read = read;
    look.matched = matched;
    look.bytes = bytes;
    return look;
  }

  /** Notes an entity that was read. */
  public void read(LentRecord record) {
    read++;
    bytes += record.value().length();
    if (partition == null || !record.partition().contentEquals(partition)) {
      partition = Bytes.of(record.partition().copy());
      partitions++;
    }
    cursor.reset(record.value().array(), record.value().offset(), record.value().length());
    while (cursor.next()) {
      note();
    }
  }

  private void note() {
    String name = Utf8.decode(cursor.array(), cursor.nameOffset(), cursor.nameLength());
    Map<EdmType, Long> counts = types.get(name);
    if (counts == null) {
      if (types.size() == NAMES_MAX) {
        return;
      }
      counts = new EnumMap<>(EdmType.class);
      types.put(name, counts);
    }
    EdmType type = EdmType.ofTag(cursor.tag());
    counts.merge(type, 1L, Long::sum);
    if (type == EdmType.STRING
        && name.equals(caseProperty)
        && cursor.valueLength() <= TEXT_CHARS_MAX) {
      String text = Utf8.decode(cursor.array(), cursor.valueOffset(), cursor.valueLength());
      if (text.equalsIgnoreCase(caseText) && !text.equals(caseText)) {
        otherCase = text;
      }
    }
  }

  /** Notes that the entity which was read last matches. */
  public void match() {
    matched++;
  }

  /** Notes that there are no more entities. */
  public void end() {
    ended = true;
  }

  public long readCount() {
    return read;
  }

  public long matched() {
    return matched;
  }

  public long bytes() {
    return bytes;
  }

  public long partitions() {
    return partitions;
  }

  /** Returns whether everything was read that the query reads. */
  public boolean hasEnded() {
    return ended;
  }

  /** Returns the properties that were seen, in the order of first sight, with their types. */
  public Map<String, Map<EdmType, Long>> types() {
    return types;
  }

  /** Returns a text that differs from the one looked for only by case; null if none was seen. */
  @Nullable String otherCase() {
    return otherCase;
  }
}
