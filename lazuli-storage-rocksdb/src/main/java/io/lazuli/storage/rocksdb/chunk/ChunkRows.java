package io.lazuli.storage.rocksdb.chunk;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.keys.KeyCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of all chunks, in the order in which the chunks were begun. They are records of the
 * engine itself, in a space that no service uses. They are written through the commit lane, so they
 * are as durable as other records and share their syncs.
 */
final class ChunkRows {
  /** Counter 0 is never assigned. The home has no meaning, but every space must have one. */
  private static final Partition ROWS =
      new Partition(
          new Space(Space.number(SpaceKind.CHUNKS, 0), new Partition(Space.CATALOGUE, Bytes.EMPTY)),
          Bytes.EMPTY);

  /** A chunk and its row. */
  record Entry(ChunkRef ref, ChunkRow row) {}

  private final StorageEngine engine;

  ChunkRows(StorageEngine engine) {
    this.engine = engine;
  }

  /** Writes a row. The future completes when the row is durable, or fails as the engine does. */
  CompletableFuture<Boolean> put(ChunkRef ref, ChunkRow row) {
    byte[] value = row.encode();
    return change(value.length, view -> view.put(key(ref), value));
  }

  /** Marks the rows of chunks as not complete, and waits until that is durable. */
  void retract(List<ChunkRef> refs) {
    await(change(0, view -> refs.forEach(ref -> retract(view, ref))));
  }

  private static void retract(PartitionView view, ChunkRef ref) {
    byte[] value = view.read(key(ref));
    if (value != null) {
      view.put(key(ref), ChunkRow.decode(value).retracted().encode());
    }
  }

  /** Removes rows, and waits until that is durable. */
  void remove(List<ChunkRef> refs) {
    await(change(0, view -> refs.forEach(ref -> view.delete(key(ref)))));
  }

  /** Waits until a row is written, and throws the failure of the engine. */
  static void await(CompletableFuture<Boolean> written) {
    try {
      written.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StorageException failure) {
        throw new StorageException(failure.kind(), "" + failure.getMessage(), failure);
      }
      throw e;
    }
  }

  @Nullable ChunkRow find(ChunkRef ref) {
    byte[] value = LocalCall.result(engine.read(ROWS.row(key(ref)), Deadline.NEVER));
    return value == null ? null : ChunkRow.decode(value);
  }

  List<Entry> list(@Nullable ChunkRef after, int max) {
    Bytes from = after == null ? Bytes.EMPTY : key(after).successor();
    KeyRange range = new KeyRange(new Position(ROWS.name(), from), Position.endOf(ROWS.name()));
    List<Entry> entries = new ArrayList<>();
    return LocalCall.result(
        engine
            .scan(
                ROWS.space(),
                List.of(range),
                Direction.FORWARD,
                Deadline.NEVER,
                record -> {
                  if (entries.size() == max) {
                    return Visit.STOP;
                  }
                  long counter = ByteBuffer.wrap(record.row().copy()).getLong();
                  ChunkRef ref = new ChunkRef(Space.number(SpaceKind.CHUNKS, counter));
                  entries.add(new Entry(ref, ChunkRow.decode(record.value().copy())));
                  return Visit.CONTINUE;
                })
            .thenApply(scanned -> entries));
  }

  /** Returns the encoded key before all rows. */
  static byte[] first() {
    return KeyCodec.spaceStart(ROWS.space().number());
  }

  /** Returns the encoded key after all rows. */
  static byte[] end() {
    return KeyCodec.spaceEnd(ROWS.space().number());
  }

  /** Returns the chunk of an encoded key, which ends with the chunk's counter. */
  static ChunkRef ref(byte[] key) {
    long counter = ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    return new ChunkRef(Space.number(SpaceKind.CHUNKS, counter));
  }

  private CompletableFuture<Boolean> change(long weightBytes, Consumer<PartitionView> change) {
    TransactionBody<Boolean> body =
        new TransactionBody<>() {
          @Override
          public Boolean run(PartitionView view) {
            change.accept(view);
            return true;
          }

          @Override
          public long weightBytes() {
            return weightBytes;
          }
        };
    return engine.transact(ROWS, List.of(), Deadline.NEVER, body);
  }

  private static Bytes key(ChunkRef ref) {
    long counter = Space.counter(ref.number());
    return Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(counter).array());
  }
}
