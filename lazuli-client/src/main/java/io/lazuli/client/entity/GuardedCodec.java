package io.lazuli.client.entity;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import reactor.core.publisher.Mono;

/**
 * The codec of a type with members that are marked {@link Encrypted}. It reads, but refuses to
 * write, because nothing encrypts these members. Every path to the service ends in a write of a
 * codec, so no path stores them as plain text.
 */
final class GuardedCodec<T> extends ForwardingCodec<T> {
  private final Class<?> type;

  GuardedCodec(EntityCodec<T> codec, Class<?> type) {
    super(codec);
    this.type = type;
  }

  @Override
  public TableEntity write(T value) {
    throw refusal();
  }

  @Override
  public TableEntity write(T value, TableTransactionActionType kind) {
    throw refusal();
  }

  @Override
  public Mono<TableEntity> encode(T value, TableTransactionActionType kind) {
    return Mono.error(this::refusal);
  }

  @Override
  public Mono<TableEntity> encodeOver(TableEntity stored, T value) {
    return Mono.error(this::refusal);
  }

  @Override
  public void checkWritable() {
    throw refusal();
  }

  @Override
  public EntityCodec<T> unencrypted() {
    return codec;
  }

  private MappingFailure refusal() {
    return new MappingFailure(
        "%s has properties that are marked @Encrypted, and nothing encrypts them: %s; use"
                .formatted(type.getName(), encryptedProperties())
            + " EncryptedCodec.of(EntityCodec.of(%s.class), cipher, tableName)"
                .formatted(type.getSimpleName()));
  }
}
