package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/**
 * An entity could not be encrypted before it was sent, or could not be decrypted after it was read.
 * The failure names the entity and, where it applies, the property. It never contains a value or a
 * key.
 */
public final class EncryptionFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason for a failure. It determines the message. */
  public enum Kind {
    /** A value or the metadata was changed, or moved to another property, entity or table. */
    TAMPERED("The value was changed, or moved from another property, entity or table"),
    /** The metadata cannot be read at all. */
    MALFORMED("The encryption metadata cannot be read"),
    /** The metadata names a version or an algorithm that this library does not know. */
    UNSUPPORTED("The entity was encrypted in a way that is not supported"),
    /** The resolver does not know the key that the entity names. */
    UNKNOWN_KEY("The key resolver does not know the key of the entity"),
    /** The key with that id did not wrap the content key of this entity. */
    WRONG_KEY("The key with that id does not unwrap the content key of the entity"),
    /** Encryption is required, but the entity or the property is plain. */
    NOT_ENCRYPTED("Encryption is required, but this is not encrypted"),
    /** The metadata lists a property that the entity does not have. */
    MISSING("The encrypted property is missing"),
    /** The resolver has no key for new writes. */
    NO_CURRENT_KEY("The key resolver has no key for new writes"),
    /** A property chosen for encryption is not a string. */
    NOT_A_STRING("Only strings can be encrypted"),
    /** A string cannot be encoded as UTF-8, because half of a surrogate pair is missing. */
    NOT_UNICODE("The string cannot be encoded as UTF-8"),
    /** The ciphertext exceeds the service's limit. */
    TOO_LARGE("The encrypted value exceeds 64 KiB"),
    /** The entity has a property with a name that is reserved for encryption metadata. */
    RESERVED_NAME("The name of the property is reserved for encryption metadata"),
    /** A merge would mix values of two content keys in one entity. */
    MERGE("Encrypted properties cannot be merged: replace the entity instead");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private final Kind kind;
  private final String table;
  private final transient EntityKey key;
  private final @Nullable String property;

  EncryptionFailure(
      Kind kind,
      String table,
      TableEntity entity,
      @Nullable String property,
      @Nullable Throwable cause) {
    super(message(kind, table, entity, property), cause);
    this.kind = kind;
    this.table = table;
    this.key = key(entity);
    this.property = property;
  }

  /**
   * Returns the key of an entity. The parts may be missing, because a projection made elsewhere can
   * leave them out.
   */
  private static EntityKey key(TableEntity entity) {
    return new EntityKey(
        String.valueOf(entity.getPartitionKey()), String.valueOf(entity.getRowKey()));
  }

  private static String message(
      Kind kind, String table, TableEntity entity, @Nullable String property) {
    String where =
        "%s: table '%s', entity ('%s', '%s')"
            .formatted(kind.text, table, entity.getPartitionKey(), entity.getRowKey());
    return property == null ? where : where + ", property '" + property + "'";
  }

  /** Returns the reason. */
  public Kind kind() {
    return kind;
  }

  /** Returns the table of the entity. */
  public String table() {
    return table;
  }

  /** Returns the key of the entity. */
  public EntityKey key() {
    return key;
  }

  /**
   * Returns the property, which may be a metadata property; null if the failure concerns the whole
   * entity.
   */
  public @Nullable String property() {
    return property;
  }
}
