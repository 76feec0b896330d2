package io.lazuli.client.encryption;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.DerivedCodec;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.waiting.Waiting;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A codec that encrypts entities before they are sent and decrypts them after they are read. A
 * table that uses it encrypts every inserted and replaced entity, also in batches. The codec adds
 * the metadata to projections and refuses to merge encrypted properties. Immutable.
 *
 * <pre>{@code
 * record Employee(@PartitionKey String department, @RowKey String id, @Encrypted String salary) {}
 *
 * EntityCipher cipher = EntityCipher.gcm(KeyRing.open(file, password, "key-2"));
 * AsyncTable.of(client, EncryptedCodec.of(EntityCodec.of(Employee.class), cipher, "Employees"));
 * }</pre>
 *
 * <p>It encrypts the properties whose members are marked {@link io.lazuli.client.entity.Encrypted},
 * and those that the scope selects.
 *
 * @param <T> the type of the values
 */
public final class EncryptedCodec<T> extends DerivedCodec<T, T> {
  /** The maximum number of entities of a query that wait for their keys at the same time. */
  private static final int CONCURRENCY = 16;

  private final EntityCipher cipher;
  private final EncryptionScope scope;

  private EncryptedCodec(EntityCodec<T> codec, EntityCipher cipher, EncryptionScope scope) {
    super(codec);
    this.cipher = cipher;
    this.scope = scope;
  }

  /**
   * Returns a codec that encrypts the properties that the scope selects and those that the type
   * marks.
   */
  public static <T> EncryptedCodec<T> of(
      EntityCodec<T> codec, EntityCipher cipher, EncryptionScope scope) {
    EncryptionResolver marked = EncryptionResolver.properties(codec.encryptedProperties());
    EncryptionScope both =
        new EncryptionScope(scope.table(), scope.encrypted().or(marked), scope.required());
    return new EncryptedCodec<>(codec.unencrypted(), cipher, both);
  }

  /**
   * Returns a codec that encrypts the properties that the type marks. It also reads plain entities.
   */
  public static <T> EncryptedCodec<T> of(EntityCodec<T> codec, EntityCipher cipher, String table) {
    return of(codec, cipher, EncryptionScope.of(table, EncryptionResolver.properties(Set.of())));
  }

  /**
   * Returns the encrypted entity of a value, for an insert or a replace.
   *
   * @throws EncryptionFailure if the value cannot be encrypted
   * @throws IllegalStateException if the key is not available immediately and this thread must not
   *     block; use {@link #encode} there
   */
  @Override
  public TableEntity write(T value) {
    return write(value, TableTransactionActionType.CREATE);
  }

  /** Like {@link #write(Object)}, but rejects a merge of encrypted properties. */
  @Override
  public TableEntity write(T value, TableTransactionActionType kind) {
    return now(encode(value, kind));
  }

  /**
   * Returns the value of an entity.
   *
   * @throws EncryptionFailure if the entity cannot be decrypted
   * @throws IllegalStateException if the key is not available immediately and this thread must not
   *     block; use {@link #decode} there
   */
  @Override
  public T read(TableEntity entity) {
    return now(decode(entity));
  }

  @Override
  public Mono<TableEntity> encode(T value, TableTransactionActionType kind) {
    return Mono.defer(
        () -> {
          TableEntity entity = codec.write(value, kind);
          return switch (kind) {
            case UPDATE_MERGE, UPSERT_MERGE -> merged(entity, kind);
            case CREATE, UPDATE_REPLACE, UPSERT_REPLACE, DELETE -> cipher.encrypt(scope, entity);
          };
        });
  }

  /**
   * Keeps the stored properties that the type does not have. Those that are encrypted stay
   * encrypted, although this type does not mark them.
   */
  @Override
  public Mono<TableEntity> encodeOver(TableEntity stored, T value) {
    return cipher
        .decrypt(scope, stored, Set.of())
        .flatMap(
            clear ->
                codec
                    .encodeOver(clear, value)
                    .flatMap(next -> cipher.encrypt(keeping(stored, clear), next)));
  }

  /** Returns the scope, extended by the encrypted properties for which the type has no member. */
  private EncryptionScope keeping(TableEntity stored, TableEntity clear) {
    Set<String> decrypted = new TreeSet<>(clear.getProperties().keySet());
    decrypted.removeIf(
        name ->
            !(stored.getProperty(name) instanceof byte[])
                || !(clear.getProperty(name) instanceof String));
    codec.properties().values().forEach(member -> decrypted.remove(member.name()));
    EncryptionResolver both = scope.encrypted().or(EncryptionResolver.properties(decrypted));
    return new EncryptionScope(scope.table(), both, scope.required());
  }

  @Override
  public boolean knowsProperty(String property) {
    return codec.knowsProperty(property) || cipher.requiredProperties().contains(property);
  }

  @Override
  public T withETag(T value, String eTag) {
    return codec.withETag(value, eTag);
  }

  private Mono<TableEntity> merged(TableEntity entity, TableTransactionActionType kind) {
    scope.checkMerge(entity, kind == TableTransactionActionType.UPSERT_MERGE);
    return Mono.just(entity);
  }

  @Override
  public Flux<T> decode(Flux<TableEntity> entities, Set<String> selected) {
    Flux<TableEntity> decrypted =
        entities.flatMapSequential(
            entity -> cipher.decrypt(scope, entity, selected), CONCURRENCY, 1);
    return codec.decode(decrypted, selected);
  }

  @Override
  public Mono<T> decode(TableEntity entity) {
    return cipher.decrypt(scope, entity, Set.of()).flatMap(codec::decode);
  }

  /** Returns the other codec, extended so that it encrypts like this one. */
  @Override
  public <S> EntityCodec<S> forSameTable(EntityCodec<S> other) {
    return other instanceof EncryptedCodec<S> ? other : of(other, cipher, scope);
  }

  @Override
  public <O> EntityCodec<T> upcasting(Class<O> old, Function<? super O, ? extends T> upcast) {
    return of(codec.upcasting(old, upcast), cipher, scope);
  }

  @Override
  public EntityKey key(T value) {
    return codec.key(value);
  }

  @Override
  public Set<String> alwaysSelected() {
    Set<String> names = new TreeSet<>(codec.alwaysSelected());
    names.addAll(cipher.requiredProperties());
    return names;
  }

  /**
   * Waits for a result. Local keys are available immediately, so a codec that uses only these may
   * be called on any thread.
   */
  private static <V> V now(Mono<V> result) {
    CompletableFuture<V> future = result.toFuture();
    if (!future.isDone() && Schedulers.isInNonBlockingThread()) {
      future.cancel(false);
      throw new IllegalStateException(
          "The key is not available immediately, and this thread must not block");
    }
    return Waiting.result(future);
  }
}
