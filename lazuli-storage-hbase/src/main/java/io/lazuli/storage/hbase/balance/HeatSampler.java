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
 * Notes the partitions of requests, each request with the same chance, in bounded memory. When
 * there is no room left, half of what was noted is forgotten and the chance is halved: so what is
 * held is always a fair sample, whether a few partitions take all the load or a million share it.
 *
 * <p>A request costs one random number of its own thread and a comparison; only one that is noted
 * copies its key and takes the lock, and after the first thousand of a round few are. Safe for any
 * number of threads.
 */
public final class HeatSampler {
  private static final int SAMPLES_MAX = 1_024;
  private static final int BYTES_MAX = 64 << 10;

  /** Of so many requests, a power of two, one is noted: the bits that must be zero in a dice. */
  private volatile int mask;

  @GuardedBy("this")
  private List<Bytes> noted = new ArrayList<>();

  @GuardedBy("this")
  private int bytes;

  /** A request to a row; its key names the partition. */
  public void note(byte[] row) {
    int random = ThreadLocalRandom.current().nextInt();
    if ((random & mask) == 0 && row.length >= KeyCodec.SPACE_BYTES) {
      add(random, partitionStart(row));
    }
  }

  /** What was noted since the last call, which was so long ago; the sampler begins anew. */
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
    // The chance may have become smaller on the way here.
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

  /** The key up to the zero byte that ends its partition: where a region may begin. */
  private static Bytes partitionStart(byte[] row) {
    int end = KeyCodec.SPACE_BYTES;
    while (end < row.length && row[end] != 0) {
      end++;
    }
    return Bytes.of(Arrays.copyOf(row, end));
  }
}
