package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.encryption.EncryptionFailure.Kind;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import reactor.core.publisher.Mono;

/** Encrypts and decrypts entities with envelopes of one format. */
final class EnvelopeCipher implements EntityCipher {
  static final Set<String> KEYS = Set.of("PartitionKey", "RowKey");

  /** The service's limit for a binary property. */
  private static final int VALUE_BYTES_MAX = 64 * 1024;

  private static final int CONTENT_KEY_BYTES = 32;

  private final KeyResolver keys;
  private final Envelope.Format format;
  private final Set<String> metadata;
  private final SecureRandom random = new SecureRandom();

  EnvelopeCipher(KeyResolver keys, Envelope.Format format) {
    this.keys = keys;
    this.format = format;
    this.metadata = Set.of(format.keyProperty(), format.namesProperty());
  }

  @Override
  public Set<String> requiredProperties() {
    return Set.of("PartitionKey", "RowKey", format.keyProperty(), format.namesProperty());
  }

  @Override
  public boolean isEncrypted(TableEntity entity) {
    return metadata.stream().anyMatch(name -> entity.getProperty(name) != null);
  }

  @Override
  public Mono<TableEntity> encrypt(EncryptionScope scope, TableEntity entity) {
    return Mono.defer(
        () -> {
          for (String name : metadata) {
            if (entity.getProperty(name) != null) {
              return Mono.error(scope.failure(Kind.RESERVED_NAME, entity, name));
            }
          }
          List<String> chosen = scope.chosen(entity);
          return chosen.isEmpty() && !scope.required()
              ? Mono.just(entity)
              : encrypt(scope, entity, chosen);
        });
  }

  private Mono<TableEntity> encrypt(
      EncryptionScope scope, TableEntity entity, List<String> chosen) {
    byte[] contentKey = new byte[CONTENT_KEY_BYTES];
    random.nextBytes(contentKey);
    return keys.current()
        .switchIfEmpty(Mono.error(() -> scope.failure(Kind.NO_CURRENT_KEY, entity, null)))
        .flatMap(key -> wrap(key, contentKey))
        .map(key -> sealed(scope, entity, chosen, format.create(key), contentKey));
  }

  private static Mono<WrappedKey> wrap(WrappingKey key, byte[] contentKey) {
    return key.wrap(contentKey).map(bytes -> new WrappedKey(key.id(), key.algorithm(), bytes));
  }

  private TableEntity sealed(
      EncryptionScope scope,
      TableEntity entity,
      Collection<String> chosen,
      Envelope envelope,
      byte[] contentKey) {
    try {
      Map<String, Object> properties = new HashMap<>(entity.getProperties());
      for (String name : chosen) {
        byte[] plain = utf8(scope, entity, name);
        byte[] value = envelope.encrypt(contentKey, Place.of(scope, entity, name), plain);
        if (value.length > VALUE_BYTES_MAX) {
          throw scope.failure(Kind.TOO_LARGE, entity, name);
        }
        properties.put(name, value);
      }
      Place names = Place.of(scope, entity, format.namesProperty());
      properties.put(format.keyProperty(), envelope.text());
      properties.put(format.namesProperty(), envelope.encryptNames(contentKey, names, chosen));
      return entity(properties);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java runtime cannot encrypt", e);
    }
  }

  @Override
  public Mono<TableEntity> decrypt(
      EncryptionScope scope, TableEntity entity, Set<String> selected) {
    return Mono.defer(
        () -> {
          Object text = entity.getProperty(format.keyProperty());
          Object names = entity.getProperty(format.namesProperty());
          if (names == null && (text == null || isBare(entity))) {
            return plain(scope, entity);
          }
          if (!(text instanceof String header) || !(names instanceof byte[] list)) {
            return Mono.error(scope.failure(Kind.MALFORMED, entity, null));
          }
          for (String key : KEYS) {
            if (entity.getProperty(key) == null) {
              return failed(scope, Kind.MISSING, entity, key);
            }
          }
          Envelope envelope = envelope(scope, entity, header);
          return contentKey(scope, entity, envelope.key())
              .map(key -> opened(scope, entity, selected, envelope, key, list));
        });
  }

  /**
   * Returns whether the entity has only metadata and system properties. The legacy client writes no
   * list of names for such an entity.
   */
  private boolean isBare(TableEntity entity) {
    return entity.getProperties().keySet().stream()
        .allMatch(name -> metadata.contains(name) || EncryptionScope.isSystem(name));
  }

  private Mono<TableEntity> plain(EncryptionScope scope, TableEntity entity) {
    return scope.required()
        ? Mono.error(scope.failure(Kind.NOT_ENCRYPTED, entity, null))
        : Mono.just(without(entity, metadata));
  }

  private Envelope envelope(EncryptionScope scope, TableEntity entity, String text) {
    try {
      return format.parse(text);
    } catch (Unreadable e) {
      throw scope.failure(e.kind(), entity, format.keyProperty(), e);
    }
  }

  private Mono<byte[]> contentKey(EncryptionScope scope, TableEntity entity, WrappedKey wrapped) {
    return keys.find(wrapped.keyId())
        .switchIfEmpty(failed(scope, Kind.UNKNOWN_KEY, entity, format.keyProperty()))
        .flatMap(key -> key.unwrap(wrapped.algorithm(), wrapped.bytes()))
        .onErrorMap(
            GeneralSecurityException.class,
            e -> scope.failure(Kind.WRONG_KEY, entity, format.keyProperty(), e))
        .filter(key -> key.length == CONTENT_KEY_BYTES)
        .switchIfEmpty(failed(scope, Kind.WRONG_KEY, entity, format.keyProperty()));
  }

  private static <T> Mono<T> failed(
      EncryptionScope scope, Kind kind, TableEntity entity, String property) {
    return Mono.error(() -> scope.failure(kind, entity, property));
  }

  private TableEntity opened(
      EncryptionScope scope,
      TableEntity entity,
      Set<String> selected,
      Envelope envelope,
      byte[] contentKey,
      byte[] list) {
    Set<String> names = names(scope, entity, envelope, contentKey, list);
    Map<String, Object> properties = new HashMap<>(entity.getProperties());
    properties.keySet().removeAll(metadata);
    for (String name : names) {
      Object value = entity.getProperty(name);
      if (value != null) {
        properties.put(name, opened(scope, entity, envelope, contentKey, name));
      } else if (selected.isEmpty() || selected.contains(name)) {
        throw scope.failure(Kind.MISSING, entity, name);
      }
    }
    TableEntity opened = entity(properties);
    if (scope.required()) {
      refusePlain(scope, opened, names);
    }
    return opened;
  }

  private Set<String> names(
      EncryptionScope scope,
      TableEntity entity,
      Envelope envelope,
      byte[] contentKey,
      byte[] list) {
    String property = format.namesProperty();
    try {
      return envelope.decryptNames(contentKey, Place.of(scope, entity, property), list);
    } catch (GeneralSecurityException e) {
      throw scope.failure(Kind.TAMPERED, entity, property, e);
    } catch (Unreadable e) {
      throw scope.failure(e.kind(), entity, property, e);
    }
  }

  private static String opened(
      EncryptionScope scope,
      TableEntity entity,
      Envelope envelope,
      byte[] contentKey,
      String name) {
    if (!(entity.getProperty(name) instanceof byte[] value)) {
      throw scope.failure(Kind.TAMPERED, entity, name);
    }
    try {
      byte[] plain = envelope.decrypt(contentKey, Place.of(scope, entity, name), value);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(plain)).toString();
    } catch (GeneralSecurityException | CharacterCodingException e) {
      throw scope.failure(Kind.TAMPERED, entity, name, e);
    }
  }

  private static void refusePlain(EncryptionScope scope, TableEntity entity, Set<String> names) {
    for (String name : scope.chosen(entity)) {
      if (!names.contains(name)) {
        throw scope.failure(Kind.NOT_ENCRYPTED, entity, name);
      }
    }
  }

  private static byte[] utf8(EncryptionScope scope, TableEntity entity, String name) {
    if (!(entity.getProperty(name) instanceof String text)) {
      throw scope.failure(Kind.NOT_A_STRING, entity, name);
    }
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] exact = new byte[bytes.remaining()];
      bytes.get(exact);
      return exact;
    } catch (CharacterCodingException e) {
      throw scope.failure(Kind.NOT_UNICODE, entity, name, e);
    }
  }

  static TableEntity without(TableEntity entity, Set<String> names) {
    if (names.stream().noneMatch(entity.getProperties()::containsKey)) {
      return entity;
    }
    Map<String, Object> properties = new HashMap<>(entity.getProperties());
    properties.keySet().removeAll(names);
    return entity(properties);
  }

  private static TableEntity entity(Map<String, Object> properties) {
    return new TableEntity(
            String.valueOf(properties.get("PartitionKey")),
            String.valueOf(properties.get("RowKey")))
        .setProperties(properties);
  }
}
