package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import org.jspecify.annotations.Nullable;

/**
 * An entity could not be encrypted before it was sent, or not be decrypted after it was read. Names
 * the entity and, where there is one, the property; never carries a value or a key.
 */
public final class EncryptionFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong; the text of the message follows from it. */
  public enum Kind {
    /** A value or the metadata is not what was written, or not in the place it was written to. */
    TAMPERED("The value was changed, or moved from another place"),
    /** The metadata cannot be read at all. */
    MALFORMED("The encryption metadata cannot be read"),
    /** The metadata names a version or an algorithm that this library does not know. */
    UNSUPPORTED("The entity was encrypted in a way that is not supported"),
    /** The resolver does not know the key that the entity names. */
    UNKNOWN_KEY("The key of the entity is not known to the key resolver"),
    /** The key of that id did not wrap the content key of this entity. */
    WRONG_KEY("The key of that id does not unwrap the content key of the entity"),
    /** Metadata is required, and the entity or the property is plain. */
    NOT_ENCRYPTED("Encryption is required, and this is not encrypted"),
    /** The metadata says that there is such a property, and there is none. */
    MISSING("The encrypted property is gone"),
    /** The resolver has no key for new writes. */
    NO_CURRENT_KEY("The key resolver has no key for new writes"),
    /** A property chosen for encryption is not a string. */
    NOT_A_STRING("Only strings can be encrypted"),
    /** A string has no UTF-8 form, because half of a surrogate pair is missing. */
    NOT_UNICODE("The string has no UTF-8 form"),
    /** The ciphertext exceeds what the service takes. */
    TOO_LARGE("The encrypted value exceeds 64 KiB"),
    /** The entity has a property of a name that the encryption uses for itself. */
    RESERVED_NAME("The name of the property belongs to the encryption"),
    /** Merging would keep values of one content key beside values of another. */
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

  /** A projection that somebody else made may have left the keys out. */
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

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }

  /** The table of the entity. */
  public String table() {
    return table;
  }

  /** The key of the entity. */
  public EntityKey key() {
    return key;
  }

  /** The property, which may be one of the metadata; null if it is about the entity as a whole. */
  public @Nullable String property() {
    return property;
  }
}
