package io.lazuli.storage.hbase.balance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.keys.KeyCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Samples the partitions of requests in bounded memory. Each request is sampled with the same
 * probability. When the memory is full, half of the samples are discarded and the probability is
 * halved. The samples therefore always represent the load, whether a few partitions take all of it
 * or a million share it.
 *
 * <p>A request costs one thread-local random number and a comparison. Only a sampled request copies
 * its key and takes the lock; after the first thousand requests of a round, few requests are
 * sampled. Thread-safe.
 */
public final class HeatSampler {
  private static final int SAMPLES_MAX = 1_024;
  private static final int BYTES_MAX = 64 << 10;

  /**
   * The bits that must be zero in the random number of a sampled request: one request in mask + 1.
   */
  private volatile int mask;

  @GuardedBy("this")
  private List<Bytes> noted = new ArrayList<>();

  @GuardedBy("this")
  private int bytes;

  /** Counts a request to a row. The key of the row contains the partition. */
  public void note(byte[] row) {
    int random = ThreadLocalRandom.current().nextInt();
    if ((random & mask) == 0 && row.length >= KeyCodec.SPACE_BYTES) {
      add(random, partitionStart(row));
    }
  }

  /**
   * Returns the samples since the last call and starts again.
   *
   * @param period the time since the last call
   */
  public synchronized Heat take(Duration period) {
    double rate = (mask + 1.0) / Math.max(1, period.toMillis()) * 1_000;
    NavigableMap<Bytes, Heat.Share> shares = new TreeMap<>();
    for (Bytes key : noted) {
      shares.merge(key, new Heat.Share(1, rate), Heat.Share::plus);
    }
    noted = new ArrayList<>();
    bytes = 0;
    mask = 0;
    return new Heat(shares);
  }

  private synchronized void add(int random, Bytes key) {
    // Another thread may have lowered the probability in between.
    if ((random & mask) != 0) {
      return;
    }
    noted.add(key);
    bytes += key.length();
    while (noted.size() > SAMPLES_MAX || bytes > BYTES_MAX) {
      noted.removeIf(any -> ThreadLocalRandom.current().nextBoolean());
      bytes = noted.stream().mapToInt(Bytes::length).sum();
      mask = mask << 1 | 1;
    }
  }

  /** Returns the key up to the zero byte that ends its partition. A region may begin there. */
  private static Bytes partitionStart(byte[] row) {
    int end = KeyCodec.SPACE_BYTES;
    while (end < row.length && row[end] != 0) {
      end++;
    }
    return Bytes.of(Arrays.copyOf(row, end));
  }
}
