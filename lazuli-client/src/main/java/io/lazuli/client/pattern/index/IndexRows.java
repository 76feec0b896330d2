package io.lazuli.client.pattern.index;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rows of an entity with secondary indexes within its partition. The entity itself stores the
 * row keys of its copies; each copy stores the row key of its entity, without prefix.
 *
 * @param prefix the prefix of the rows of the entities themselves
 */
record IndexRows(String prefix) {
  static final String PRIMARY_ROW = "LazuliPrimaryRowKey";
  private static final String COPIES = "LazuliIndexRowKeys";
  private static final String OURS = "Lazuli";

  /** A control character, which no key may contain. */
  private static final String SEPARATOR = "\n";

  IndexRows {
    checkPrefix(prefix);
  }

  /** Rejects prefixes that would mix the rows of two indexes. */
  static void checkApart(String one, String other) {
    checkPrefix(one);
    if (one.startsWith(other) || other.startsWith(one)) {
      throw new IllegalArgumentException("rows of " + one + " and " + other + " would mix");
    }
  }

  private static void checkPrefix(String prefix) {
    if (prefix.isEmpty()) {
      throw new IllegalArgumentException("a prefix must have at least one character");
    }
  }

  String primaryRow(String rowKey) {
    return prefix + rowKey;
  }

  static TableEntity noting(List<TableEntity> copies, TableEntity primary) {
    return copies.isEmpty()
        ? primary
        : primary.addProperty(
            COPIES,
            copies.stream().map(TableEntity::getRowKey).collect(Collectors.joining(SEPARATOR)));
  }

  static List<String> ofCopies(TableEntity primary) {
    return primary.getProperty(COPIES) instanceof String joined
        ? List.of(joined.split(SEPARATOR))
        : List.of();
  }

  /** Keeps the keys, these properties, and those without which no entity can be read. */
  static void keepOnly(Set<String> properties, EntityCodec<?> codec, TableEntity copy) {
    copy.getProperties()
        .keySet()
        .removeIf(
            name ->
                !properties.contains(name)
                    && !codec.alwaysSelected().contains(name)
                    && !name.equals("PartitionKey")
                    && !name.equals("RowKey"));
  }

  /** Returns the entity or the copy as the codec wrote it: with the value's own key. */
  TableEntity plain(TableEntity stored) {
    String rowKey =
        stored.getProperty(PRIMARY_ROW) instanceof String primary
            ? primary
            : stored.getRowKey().substring(prefix.length());
    TableEntity plain = new TableEntity(stored.getPartitionKey(), rowKey);
    stored
        .getProperties()
        .forEach(
            (name, value) -> {
              if (!name.startsWith(OURS) && !plain.getProperties().containsKey(name)) {
                plain.addProperty(name, value);
              }
            });
    return plain;
  }
}
