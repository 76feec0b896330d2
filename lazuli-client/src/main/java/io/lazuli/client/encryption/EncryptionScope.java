package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.encryption.EncryptionFailure.Kind;
import io.lazuli.client.table.WriteMark;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The encrypted properties of a table, and whether encryption is required. Each encrypted value is
 * bound to the name of its table. Immutable.
 *
 * @param table the name of the table; upper and lower case do not matter
 * @param encrypted selects the properties
 * @param required whether a read rejects an entity without metadata, or a selected property that is
 *     not encrypted; if false, such entities are returned as they are, which is necessary while a
 *     table is converted
 */
public record EncryptionScope(String table, EncryptionResolver encrypted, boolean required) {
  private static final Set<String> SYSTEM =
      Set.of("PartitionKey", "RowKey", "Timestamp", WriteMark.PROPERTY);

  /** Creates a scope that accepts plain entities. */
  public static EncryptionScope of(String table, EncryptionResolver encrypted) {
    return new EncryptionScope(table, encrypted, false);
  }

  /**
   * Returns this scope with encryption required: a read then rejects plain values of the selected
   * properties.
   */
  public EncryptionScope requireEncryption() {
    return new EncryptionScope(table, encrypted, true);
  }

  /**
   * Rejects the merge of an entity that has encrypted properties, because the stored entity would
   * then have values of two content keys. Where encryption is required, also rejects every merge
   * that may insert, because it could create an entity without metadata.
   *
   * @throws EncryptionFailure of kind {@link Kind#MERGE}
   */
  public void checkMerge(TableEntity entity, boolean upsert) {
    List<String> chosen = chosen(entity);
    if (!chosen.isEmpty()) {
      throw failure(Kind.MERGE, entity, chosen.get(0));
    }
    if (upsert && required) {
      throw failure(Kind.MERGE, entity, null);
    }
  }

  /**
   * Returns the properties of an entity that have a value and must be encrypted, in order of name.
   */
  List<String> chosen(TableEntity entity) {
    return entity.getProperties().entrySet().stream()
        .filter(property -> property.getValue() != null)
        .map(Map.Entry::getKey)
        .filter(name -> !isSystem(name))
        .filter(name -> encrypted.encrypts(entity.getPartitionKey(), entity.getRowKey(), name))
        .sorted()
        .toList();
  }

  /**
   * Returns whether the service, OData or an update of this library owns a property. Names that
   * OData adds contain a dot; property names cannot.
   */
  static boolean isSystem(String property) {
    return SYSTEM.contains(property) || property.indexOf('.') >= 0;
  }

  EncryptionFailure failure(Kind kind, TableEntity entity, @Nullable String property) {
    return failure(kind, entity, property, null);
  }

  EncryptionFailure failure(
      Kind kind, TableEntity entity, @Nullable String property, @Nullable Throwable cause) {
    return new EncryptionFailure(kind, table, entity, property, cause);
  }
}
