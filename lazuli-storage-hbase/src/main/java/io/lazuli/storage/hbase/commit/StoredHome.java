package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.lease.HomeRecord;
import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import io.lazuli.storage.hbase.lease.HomeStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The rows of one home. Never blocks. Thread-safe. */
record StoredHome(Rows rows, Attempts attempts, Partition partition) implements HomeStore {
  /** As long as a request may take: requests wait for these calls. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Override
  public CompletableFuture<HomeRecord> read() {
    return Steps.map(
        rows.read(partition, OwnRows.HOME, Deadline.after(TIMEOUT)), StoredHome::decode);
  }

  @Override
  public CompletableFuture<Boolean> isDropped(long space) {
    return Steps.map(
        rows.read(partition, OwnRows.dropped(space), Deadline.after(TIMEOUT)),
        StoredCell::isRecord);
  }

  /** Announces drops. Returns the announcements, which others may have made before. */
  CompletableFuture<List<Announcement>> announce(Set<Long> spaces, Deadline deadline) {
    return attempts.run(
        partition,
        deadline,
        view -> {
          HomeRecord before = decode(view.condition(OwnRows.HOME));
          HomeRecord after = before.announce(spaces);
          if (!after.equals(before)) {
            requireRoom(before);
            view.putOwn(OwnRows.HOME, after.encode());
          }
          return after.announced().stream().filter(each -> spaces.contains(each.space())).toList();
        });
  }

  @Override
  public void withdraw(Set<Announcement> abandoned) {
    // If this fails, a server that uses the home tries again later.
    CompletableFuture<Boolean> unused =
        Steps.begin(
            () ->
                attempts.run(
                    partition,
                    Deadline.after(TIMEOUT),
                    view -> {
                      HomeRecord before = decode(view.condition(OwnRows.HOME));
                      HomeRecord after = before.withdraw(abandoned);
                      if (!after.equals(before)) {
                        view.putOwn(OwnRows.HOME, after.encode());
                      }
                      return true;
                    }));
  }

  static HomeRecord decode(StoredCell cell) {
    return HomeRecord.decode(cell.value());
  }

  private static void requireRoom(HomeRecord record) {
    if (record.isFull()) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "too many deletions of one account are under way");
    }
  }
}
