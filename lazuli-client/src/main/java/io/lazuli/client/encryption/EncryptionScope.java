package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.encryption.EncryptionFailure.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is encrypted in a table: the table's name, which every value is bound to, the properties,
 * and whether entities must be encrypted. Immutable.
 *
 * @param table the name of the table, in any case
 * @param encrypted which properties
 * @param required whether reading refuses an entity without metadata, or a chosen property that is
 *     not encrypted; without it such entities pass as they are, as they must while a table changes
 *     over
 */
public record EncryptionScope(String table, EncryptionResolver encrypted, boolean required) {
  private static final Set<String> SYSTEM = Set.of("PartitionKey", "RowKey", "Timestamp");

  /** A scope in which plain entities pass. */
  public static EncryptionScope of(String table, EncryptionResolver encrypted) {
    return new EncryptionScope(table, encrypted, false);
  }

  /** The same scope, refusing what is plain and should not be. */
  public EncryptionScope requireEncryption() {
    return new EncryptionScope(table, encrypted, true);
  }

  /**
   * Refuses the merge of an entity that has encrypted properties: it would leave values of two
   * content keys side by side. Where encryption is required, also refuses an upsert of any, because
   * it could make an entity without metadata.
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

  /** The properties of an entity that have a value and are to be encrypted, in order of name. */
  List<String> chosen(TableEntity entity) {
    return entity.getProperties().entrySet().stream()
        .filter(property -> property.getValue() != null)
        .map(Map.Entry::getKey)
        .filter(name -> !isSystem(name))
        .filter(name -> encrypted.encrypts(entity.getPartitionKey(), entity.getRowKey(), name))
        .sorted()
        .toList();
  }

  /** The names of what OData adds have a dot, those of properties cannot. */
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
