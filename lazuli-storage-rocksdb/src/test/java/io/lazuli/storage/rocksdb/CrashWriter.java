package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.bytes;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The program that crash tests kill, and the check of what it leaves. Its producers write without
 * end, each one transaction at a time, and print the number of each acknowledged transaction.
 *
 * <p>Transaction n of a producer writes one row in each of three groups and raises the producer's
 * counter, which it reads first. So a lost or partial transaction is detected.
 */
final class CrashWriter {
  static final int PRODUCERS = 8;

  private static final List<String> GROUPS = List.of("a", "b", "c");
  private static final int VALUE_BYTES = 300;

  /** Every crash test creates this space first, so its number is known. */
  private static final Space SPACE = new Space(Space.number(SpaceKind.TABLE, 1), HOME);

  private CrashWriter() {}

  public static void main(String[] arguments) {
    Durability durability = Durability.valueOf(arguments[1]);
    RocksDbEngine engine =
        RocksDbEngine.open(config(Path.of(arguments[0])).withDurability(durability));
    for (int producer = 0; producer < PRODUCERS; producer++) {
      int id = producer;
      new Thread(() -> produce(engine, id, System.out)).start();
    }
  }

  static EngineConfig config(Path folder) {
    return EngineConfig.of(folder).withMemoryBytes(32 << 20);
  }

  /**
   * Opens the store after a crash and compares it with the acknowledged transactions.
   *
   * @param acknowledged the highest number printed by each producer
   * @return the number of lost acknowledged transactions
   * @throws AssertionError if only a part of a transaction exists
   */
  static long countLost(Path folder, Map<Integer, Long> acknowledged) {
    try (RocksDbEngine engine = RocksDbEngine.open(config(folder))) {
      long lost = 0;
      for (Map.Entry<Integer, Long> entry : acknowledged.entrySet()) {
        long whole = wholeTransactions(engine, entry.getKey());
        lost += Math.max(0, entry.getValue() - whole);
      }
      return lost;
    }
  }

  private static void produce(RocksDbEngine engine, int producer, PrintStream out) {
    Partition partition = partition(producer);
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) producer);
    while (true) {
      long number =
          engine.transact(partition, List.of(), Deadline.NEVER, view -> write(view, value)).join();
      synchronized (out) {
        out.println(producer + " " + number);
        out.flush();
      }
    }
  }

  private static long write(PartitionView view, byte[] value) {
    byte[] counter = view.read(bytes("counter"));
    long number = counter == null ? 1 : ByteBuffer.wrap(counter).getLong() + 1;
    for (String group : GROUPS) {
      view.put(row(group, number), value);
    }
    view.put(bytes("counter"), ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    view.timestamp(bytes("counter"));
    return number;
  }

  /**
   * Returns the producer's counter. Every transaction up to it must exist completely, and none
   * after it.
   */
  private static long wholeTransactions(RocksDbEngine engine, int producer) {
    Map<Bytes, Integer> rows = new TreeMap<>();
    long[] counter = new long[1];
    EngineFixture.await(
        engine.scan(
            SPACE,
            List.of(KeyRange.ofPartition(partition(producer).name())),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              byte[] row = record.row().copy();
              if (row.length == 1 + Long.BYTES) {
                Bytes number = Bytes.of(Arrays.copyOfRange(row, 1, row.length));
                rows.merge(number, 1, Integer::sum);
              } else {
                counter[0] = ByteBuffer.wrap(record.value().copy()).getLong();
              }
              return Visit.CONTINUE;
            }));
    List<Bytes> halves = new ArrayList<>();
    rows.forEach(
        (number, count) -> {
          if (count != GROUPS.size()) {
            halves.add(number);
          }
        });
    if (!halves.isEmpty() || rows.size() != counter[0]) {
      throw new AssertionError(
          "producer %d: counter %d, %d transactions, in part: %s"
              .formatted(producer, counter[0], rows.size(), halves));
    }
    return counter[0];
  }

  private static Partition partition(int producer) {
    return new Partition(SPACE, bytes("producer" + producer));
  }

  private static Bytes row(String group, long number) {
    byte[] letter = bytes(group).array();
    return Bytes.of(ByteBuffer.allocate(1 + Long.BYTES).put(letter).putLong(number).array());
  }
}
