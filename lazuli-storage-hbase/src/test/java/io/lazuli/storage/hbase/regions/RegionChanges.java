package io.lazuli.storage.hbase.regions;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.awaitility.Awaitility;

/**
 * Changes regions of a real cluster and waits until the cluster has agreed. A region that was just
 * split can be neither split nor merged until it is compacted, so a refused change requests that.
 */
public final class RegionChanges {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private final AsyncAdmin admin;

  public RegionChanges(AsyncAdmin admin) {
    this.admin = admin;
  }

  /** Splits a region. Fails with {@code CompletionException} if the cluster refuses. Blocks. */
  public void split(RegionInfo region, byte[] at) {
    join(admin.splitRegion(region.getRegionName(), at), List.of(region));
  }

  /** Merges neighbours. Fails with {@code CompletionException} if the cluster refuses. Blocks. */
  public void merge(RegionInfo first, RegionInfo second) {
    List<byte[]> names = List.of(first.getRegionName(), second.getRegionName());
    join(admin.mergeRegions(names, false), List.of(first, second));
  }

  private void join(CompletableFuture<Void> change, List<RegionInfo> regions) {
    try {
      change.join();
    } catch (CompletionException e) {
      regions.forEach(region -> admin.majorCompactRegion(region.getRegionName()).join());
      throw e;
    }
  }

  /** Repeats a step while the cluster refuses it or what the step asserts does not hold. Blocks. */
  public static void untilDone(Runnable step) {
    Awaitility.await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofSeconds(1))
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsMatching(CompletionException.class::isInstance)
        .untilAsserted(step::run);
  }
}
