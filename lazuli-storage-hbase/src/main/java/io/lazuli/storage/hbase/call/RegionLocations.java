package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.jspecify.annotations.Nullable;

/**
 * Where regions are. A known location costs nothing; an unknown one is looked up in {@code
 * hbase:meta}, and only the calls that need it wait. Thread-safe.
 */
final class RegionLocations {
  private final Function<StoreTable, AsyncTableRegionLocator> locators;
  private final AsyncTableRegionLocator meta;
  private final RegionServers servers;

  /**
   * @param meta locates {@code hbase:meta} itself
   */
  RegionLocations(
      Function<StoreTable, AsyncTableRegionLocator> locators,
      AsyncTableRegionLocator meta,
      RegionServers servers) {
    this.locators = locators;
    this.meta = meta;
    this.servers = servers;
  }

  /**
   * Returns the known location of the row's region. Looks it up if it is not known. A failure means
   * that the call itself was not sent.
   */
  CompletableFuture<HRegionLocation> find(StoreTable table, byte[] row, Deadline limit) {
    CompletableFuture<HRegionLocation> known = locate(table, row, false);
    if (known.isDone() && !known.isCompletedExceptionally() && isServed(known.join())) {
      return known;
    }
    return Steps.rescue(
        Steps.then(servers.lookUp(waitMax(limit), () -> known), RegionLocations::served),
        failure ->
            CompletableFuture.failedFuture(
                failure instanceof CallFailure call ? call.beforeTheCall() : failure));
  }

  /** Looks up the location of the row's region, even if it is known. */
  CompletableFuture<HRegionLocation> reload(StoreTable table, byte[] row, Deadline limit) {
    return Steps.then(
        servers.lookUp(waitMax(limit), () -> locate(table, row, true)), RegionLocations::served);
  }

  /**
   * Returns true if the known location of the region is still the one that the call was meant for.
   * If it is not, another thread may have updated it before the call was sent, and another server
   * may have answered.
   */
  boolean isStillThere(StoreTable table, byte[] row, HRegionLocation before) {
    CompletableFuture<HRegionLocation> known = locate(table, row, false);
    if (!known.isDone() || known.isCompletedExceptionally()) {
      return false;
    }
    HRegionLocation now = known.join();
    return now != null
        && now.getSeqNum() == before.getSeqNum()
        && before.getServerName().equals(now.getServerName());
  }

  /**
   * Returns true if the region is on another server now. Reads the location of {@code hbase:meta}
   * from ZooKeeper first, because a server that has lost the region may have lost {@code
   * hbase:meta} too.
   */
  CompletableFuture<Boolean> hasMoved(
      StoreTable table, byte[] row, HRegionLocation before, Deadline limit) {
    return Steps.then(
        servers.lookUp(
            waitMax(limit), () -> meta.getRegionLocation(HConstants.EMPTY_START_ROW, true)),
        ofMeta ->
            Steps.map(
                reload(table, row, limit),
                now -> !now.getServerName().equals(before.getServerName())));
  }

  private CompletableFuture<HRegionLocation> locate(StoreTable table, byte[] row, boolean reload) {
    return locators.apply(table).getRegionLocation(row, reload);
  }

  private static CompletableFuture<HRegionLocation> served(@Nullable HRegionLocation location) {
    return isServed(location)
        ? CompletableFuture.completedFuture(location)
        : CompletableFuture.failedFuture(new CallFailure("no server has the region"));
  }

  private static boolean isServed(@Nullable HRegionLocation location) {
    return location != null && location.getServerName() != null;
  }

  /** A lookup has no time limit of its own. */
  private static Deadline waitMax(Deadline limit) {
    return limit.remaining().compareTo(ServerCall.WAIT_MAX) > 0
        ? Deadline.after(ServerCall.WAIT_MAX)
        : limit;
  }
}
