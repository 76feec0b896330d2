package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import io.lazuli.storage.hbase.balance.HomeSpread.HomeRegion;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/** Finds the homes in the catalogue by skipping from one to the next. Blocks. */
public final class HomeKeys {
  /** The maximum number of homes to find, so that the search ends. */
  private static final int HOMES_MAX = 100_000;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final RegionScan scan;

  public HomeKeys(RegionScan scan) {
    this.scan = scan;
  }

  /** Returns the regions with the homes that they hold. */
  List<HomeRegion> of(List<RegionSample> regions) {
    List<Bytes> all = all();
    return regions.stream()
        .map(region -> new HomeRegion(region, all.stream().filter(region::contains).toList()))
        .toList();
  }

  private List<Bytes> all() {
    List<Bytes> homes = new ArrayList<>();
    KeyInterval rest =
        new KeyInterval(
            KeyInterval.ofSpace(Space.CATALOGUE.number()).from(), OwnRows.reportsStart());
    while (homes.size() < HOMES_MAX && !rest.isEmpty()) {
      List<Cell> first =
          Steps.await(scan.first(StoreTable.CATALOG, rest, 1, 1, Deadline.after(TIMEOUT)));
      if (first.isEmpty()) {
        return homes;
      }
      byte[] key = CellUtil.cloneRow(first.get(0));
      int end = KeyCodec.partitionEnd(key, key.length);
      homes.add(Bytes.of(Arrays.copyOf(key, end)));
      byte[] after = Arrays.copyOf(key, end + 1);
      after[end] = 1;
      rest = rest.from(Bytes.of(after));
    }
    return homes;
  }
}
