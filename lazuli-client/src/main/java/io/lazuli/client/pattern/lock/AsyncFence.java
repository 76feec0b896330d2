package io.lazuli.client.pattern.lock;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.BatchFailed;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.EntityGroup;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.OutcomeUnknown;
import io.lazuli.client.table.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Writes to one partition that succeed only as long as no later holder of the lock has raised the
 * fence of that partition. Immutable and thread-safe.
 *
 * <p>Two entities are stored in the partition. The first, {@code ~fence_payroll}, has the greatest
 * token so far. The second has that token in its row key: {@code ~fence_payroll_0001763308800000}.
 * A later holder replaces the first and exchanges the second in one transaction. Every fenced batch
 * also merges nothing into the entity with its own token, which must exist. The service therefore
 * refuses the whole batch of an earlier holder, however long its request was on the way. Batches of
 * the same holder do not disturb each other, because the merge is not conditional on an ETag.
 *
 * @param <T> the type of the entities
 */
public final class AsyncFence<T> {
  private static final String PREFIX = "~fence_";
  private static final String TOKEN = "Token";
  private static final int WRITES_MAX = 99;

  /** Raising a fence is safe to repeat: it reads the greatest token first. */
  private static final Retry IF_UNKNOWN =
      Retry.max(AsyncTable.UPDATE_ATTEMPTS)
          .filter(OutcomeUnknown.class::isInstance)
          .onRetryExhaustedThrow((spec, signal) -> signal.failure());

  private final HeldLock lock;
  private final AsyncTable<Object> table;
  private final TableEntity own;

  private AsyncFence(HeldLock lock, AsyncTable<T> table, TableEntity own) {
    this.lock = lock;
    this.table = table.with(new FencedCodec<>(table.codec()));
    this.own = own;
  }

  /**
   * Raises the fence of a partition to the token of a lock: two requests. Do this before reading
   * what the fenced writes depend on, because from then on no earlier holder can change it.
   *
   * @return the error {@link LockLost} if a later holder has raised the fence
   */
  public static <T> Mono<AsyncFence<T>> raise(
      HeldLock lock, AsyncTable<T> table, String partitionKey) {
    TableEntity own = new TableEntity(partitionKey, row(lock, lock.token()));
    return EntityGroup.transact(table, partitionKey, group -> raised(lock, group))
        .retryWhen(IF_UNKNOWN)
        .then(Mono.fromSupplier(() -> new AsyncFence<>(lock, table, own)));
  }

  private static Mono<Void> raised(HeldLock lock, EntityGroup group) {
    return group
        .read(PREFIX + lock.name())
        .doOnNext(
            found -> {
              lock.requireHeld();
              raise(lock, group, found);
            })
        .then();
  }

  /** Registers the writes. A fence that already has the token was raised by a lost request. */
  private static void raise(HeldLock lock, EntityGroup group, Optional<TableEntity> found) {
    long raised = found.map(entity -> (Long) entity.getProperty(TOKEN)).orElse(0L);
    if (raised > lock.token()) {
      throw new LockLost(lock.name(), lock.token(), null);
    }
    if (raised < lock.token()) {
      String partition = group.key("").partitionKey();
      group.put(new TableEntity(partition, PREFIX + lock.name()).addProperty(TOKEN, lock.token()));
      group.insert(new TableEntity(partition, row(lock, lock.token())));
      if (found.isPresent()) {
        group.delete(row(lock, raised));
      }
    }
  }

  private static String row(HeldLock lock, long token) {
    return PREFIX + lock.name() + String.format(Locale.ROOT, "_%016d", token);
  }

  /** Returns this fence with blocking calls. */
  public Fence<T> blocking() {
    return new Fence<>(this);
  }

  /**
   * Makes all writes of a batch, or none: one request.
   *
   * @param batch 1 to 99 writes to the partition of the fence
   * @return the error {@link LockLost} if the lock is lost; the error {@link BatchFailed} if
   *     another write was rejected
   */
  public Mono<Void> batch(Batch<T> batch) {
    return Mono.defer(
        () -> {
          lock.requireHeld();
          return table
              .batch(fenced(batch))
              .then()
              .onErrorMap(BatchFailed.class, this::lostOrFailed);
        });
  }

  /** Adds the fence at the end, so that the indexes of failed writes are those of the caller. */
  @SuppressWarnings("unchecked") // The codec accepts values of both types.
  private Batch<Object> fenced(Batch<T> batch) {
    if (batch.writes().isEmpty() || batch.writes().size() > WRITES_MAX) {
      throw new IllegalArgumentException(
          "a fenced batch has 1 to 99 writes, not " + batch.writes().size());
    }
    List<Write<Object>> writes = new ArrayList<>((List<Write<Object>>) (List<?>) batch.writes());
    writes.add(Write.merge(own, Condition.any()));
    return new Batch<>(writes);
  }

  private Throwable lostOrFailed(BatchFailed failed) {
    boolean isFenced =
        failed.key().rowKey().equals(own.getRowKey()) && failed.getCause() instanceof NotFound;
    return isFenced ? new LockLost(lock.name(), lock.token(), failed) : failed;
  }

  /** Writes the entity of the fence as it is, and all other values with the table's codec. */
  private record FencedCodec<T>(EntityCodec<T> codec) implements EntityCodec<Object> {
    @Override
    public TableEntity write(Object value) {
      return write(value, TableTransactionActionType.CREATE);
    }

    @Override
    public Object read(TableEntity entity) {
      throw new UnsupportedOperationException("a fence only writes");
    }

    @Override
    public TableEntity write(Object value, TableTransactionActionType kind) {
      return isFence(value) ? (TableEntity) value : codec.write(typed(value), kind);
    }

    @Override
    public Mono<TableEntity> encode(Object value, TableTransactionActionType kind) {
      return isFence(value) ? Mono.just((TableEntity) value) : codec.encode(typed(value), kind);
    }

    private static boolean isFence(@Nullable Object value) {
      return value instanceof TableEntity entity && entity.getRowKey().startsWith(PREFIX);
    }

    @SuppressWarnings("unchecked") // The caller's writes have values of this type.
    private T typed(Object value) {
      return (T) value;
    }
  }
}
