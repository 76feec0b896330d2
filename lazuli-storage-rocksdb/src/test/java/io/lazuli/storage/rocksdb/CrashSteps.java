package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.Chunks;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A producer of the crash tests: it takes numbered steps, one after another, whose effects follow
 * from their numbers. So the store must hold the effects of exactly so many steps as were
 * acknowledged, or of one more, if the crash came before its acknowledgement.
 */
enum CrashSteps {
  /** Writes rows of several sizes and removes older ones. */
  ROWS {
    @Override
    void take(StorageEngine engine, long step) {
      transact(
          engine,
          view -> {
            view.put(row(step), value(step));
            view.delete(row(step - KEPT));
            count(view, step);
            return null;
          });
    }

    @Override
    void check(StorageEngine engine, long steps) {
      Map<Bytes, byte[]> rows = rows(engine, partition());
      rows.remove(COUNTER);
      assertThat(rows).hasSize((int) Math.min(steps, KEPT));
      for (long step = Math.max(1, steps - KEPT + 1); step <= steps; step++) {
        assertThat(rows.get(row(step))).as("row of step %d", step).isEqualTo(value(step));
      }
    }

    private byte[] value(long step) {
      return Chunks.content(SIZES[(int) (step % SIZES.length)] / 10, step);
    }
  },

  /** Writes chunks, copies every second one, and removes older ones. */
  CHUNKS {
    @Override
    void take(StorageEngine engine, long step) {
      ChunkStore store = engine.chunks();
      ChunkRef written = new Chunks(store, partition()).append(content(step));
      ChunkRef named = step % 2 == 0 ? await(store.copy(written, partition())) : written;
      byte[] old = await(engine.read(partition().row(row(step - KEPT)), Deadline.NEVER));
      byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(named.number()).array();
      transact(
          engine,
          view -> {
            view.put(row(step), number);
            view.delete(row(step - KEPT));
            count(view, step);
            return null;
          });
      if (step % 2 == 0) {
        await(store.delete(List.of(written)));
      }
      if (old != null) {
        await(store.delete(List.of(new ChunkRef(ByteBuffer.wrap(old).getLong()))));
      }
    }

    @Override
    void check(StorageEngine engine, long steps) {
      Chunks chunks = new Chunks(engine.chunks(), partition());
      for (long step = Math.max(1, steps - KEPT + 1); step <= steps; step++) {
        byte[] number = await(engine.read(partition().row(row(step)), Deadline.NEVER));
        assertThat(number).as("row of chunk %d", step).isNotNull();
        byte[] read = chunks.read(new ChunkRef(ByteBuffer.wrap(number).getLong()));
        assertThat(read).as("chunk of step %d", step).isEqualTo(content(step));
      }
      chunks.list().stream()
          .filter(chunk -> chunk.complete())
          .forEach(chunk -> assertThat(chunks.read(chunk.ref())).hasSize((int) chunk.length()));
    }

    private byte[] content(long step) {
      return Chunks.content(SIZES[(int) (step % SIZES.length)] * 4 + 1, step);
    }
  },

  /** Fills a new space, names it, and drops the one before. */
  SPACES {
    @Override
    void take(StorageEngine engine, long step) {
      Space made = new Space(await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
      await(
          engine.transact(
              new Partition(made, bytes("p")),
              List.of(),
              Deadline.NEVER,
              view -> {
                for (int i = 0; i < SPACE_ROWS; i++) {
                  view.put(numbered(i), Chunks.content(100, step * SPACE_ROWS + i));
                }
                return null;
              }));
      await(
          engine.transact(
              HOME,
              List.of(),
              Deadline.NEVER,
              view -> {
                byte[] old = view.read(bytes("space"));
                if (old != null) {
                  view.drop(space(old));
                }
                view.put(
                    bytes("space"), ByteBuffer.allocate(Long.BYTES).putLong(made.number()).array());
                count(view, step);
                return null;
              }));
    }

    @Override
    Partition partition() {
      return HOME;
    }

    @Override
    void check(StorageEngine engine, long steps) {
      if (steps == 0) {
        return;
      }
      byte[] number = await(engine.read(HOME.row(bytes("space")), Deadline.NEVER));
      assertThat(number).isNotNull();
      Map<Bytes, byte[]> rows = rows(engine, new Partition(space(number), bytes("p")));
      assertThat(rows).hasSize(SPACE_ROWS);
      for (int i = 0; i < SPACE_ROWS; i++) {
        assertThat(rows.get(numbered(i))).isEqualTo(Chunks.content(100, steps * SPACE_ROWS + i));
      }
    }

    private Space space(byte[] number) {
      return new Space(ByteBuffer.wrap(number).getLong(), HOME);
    }
  };

  private static final int KEPT = 4;
  private static final int SPACE_ROWS = 20;

  /** Sizes around the sectors, the blocks of the log, and the blocks of checksums. */
  private static final int[] SIZES = {100, 5_000, 511 * 10, 33_000 * 10, 20_000, 700_000, 10};

  private static final Bytes COUNTER = bytes("counter");

  /** Takes a step. Its effects are durable when this returns. */
  abstract void take(StorageEngine engine, long step);

  /** Checks that the store has the effects of exactly these steps. */
  abstract void check(StorageEngine engine, long steps);

  Partition partition() {
    return new Partition(new Space(Space.number(SpaceKind.TABLE, 1), HOME), bytes(name()));
  }

  /** Returns how many steps the store has, and checks them. */
  long check(StorageEngine engine) {
    byte[] counter = await(engine.read(partition().row(COUNTER), Deadline.NEVER));
    long steps = counter == null ? 0 : ByteBuffer.wrap(counter).getLong();
    check(engine, steps);
    return steps;
  }

  /** Checks that a new timestamp is above all earlier ones of the counter. */
  void checkTime(StorageEngine engine) {
    byte[] counter = await(engine.read(partition().row(COUNTER), Deadline.NEVER));
    long last = counter == null ? 0 : ByteBuffer.wrap(counter).getLong(Long.BYTES);
    long next = transact(engine, view -> view.timestamp(COUNTER));
    assertThat(next).as("timestamp after the crash").isGreaterThan(last);
    assertThat(engine.now()).isGreaterThanOrEqualTo(last);
  }

  /** Stores the number of steps, and the time of the last one. */
  static void count(PartitionView view, long step) {
    byte[] old = view.read(COUNTER);
    long before = old == null ? 0 : ByteBuffer.wrap(old).getLong();
    assertThat(before).isEqualTo(step - 1);
    long ticks = view.timestamp(COUNTER);
    view.put(COUNTER, ByteBuffer.allocate(2 * Long.BYTES).putLong(step).putLong(ticks).array());
  }

  static Bytes row(long step) {
    return numbered((int) Math.max(0, step));
  }

  <R> R transact(StorageEngine engine, TransactionBody<R> body) {
    return await(engine.transact(partition(), List.of(), Deadline.NEVER, body));
  }

  static Map<Bytes, byte[]> rows(StorageEngine engine, Partition partition) {
    Map<Bytes, byte[]> rows = new HashMap<>();
    await(
        engine.scan(
            partition.space(),
            List.of(KeyRange.ofPartition(partition.name())),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              rows.put(Bytes.of(record.row().copy()), record.value().copy());
              return Visit.CONTINUE;
            }));
    return rows;
  }
}
