package io.lazuli.storage.hbase.lease;

import io.lazuli.storage.hbase.lease.LeaseWorld.Checks;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The checks of {@link HomeLease}, written once more in the plainest way, so that single rules can
 * be left out.
 */
final class ModelLease implements Checks {
  private final LeaseWorld world;
  private final int server;
  private final int length;
  private @Nullable HomeRecord known;
  private long begin;
  private Set<Long> alive = new HashSet<>();
  private @Nullable CompletableFuture<HomeRecord> running;

  ModelLease(LeaseWorld world, int server, int length) {
    this.world = world;
    this.server = server;
    this.length = length;
  }

  @Override
  public Supplier<CompletableFuture<Boolean>> begin(long space) {
    if (!isValid() && running == null) {
      running = read();
    }
    CompletableFuture<HomeRecord> early = running;
    boolean validEarly = isValid();
    return () -> {
      boolean valid = world.keeps(Rule.CLOCK_AFTER_DATA) ? isValid() : validEarly;
      if (valid && alive.contains(space) && !isListed(space)) {
        return CompletableFuture.completedFuture(true);
      }
      CompletableFuture<HomeRecord> read =
          world.keeps(Rule.CHECKS_AFTER_DATA) || early == null ? read() : early;
      return read.thenCompose(record -> exists(space, record));
    };
  }

  private boolean isValid() {
    return known != null && (!world.keeps(Rule.ENDS) || world.clock(server) - begin < length);
  }

  private boolean isListed(long space) {
    return world.keeps(Rule.LISTS_ANNOUNCEMENTS) && known != null && known.find(space) != null;
  }

  private CompletableFuture<Boolean> exists(long space, HomeRecord record) {
    if (known != null && known.epoch() == record.epoch() && alive.contains(space)) {
      return CompletableFuture.completedFuture(true);
    }
    return world
        .readDropped(server, space)
        .thenApply(
            dropped -> {
              if (!dropped && known != null && known.epoch() == record.epoch()) {
                alive.add(space);
              }
              return !dropped;
            });
  }

  private CompletableFuture<HomeRecord> read() {
    long sent = world.clock(server);
    return world
        .readHome(server)
        .thenApply(
            record -> {
              running = null;
              take(record, world.keeps(Rule.COUNTS_FROM_SENDING) ? sent : world.clock(server));
              return record;
            });
  }

  private void take(HomeRecord record, long from) {
    HomeRecord last = known;
    if (last != null && last.epoch() > record.epoch()) {
      // An answer that was overtaken by a later one.
      return;
    }
    if (last != null && last.epoch() != record.epoch() && world.keeps(Rule.FORGETS_AFTER_A_DROP)) {
      Set<Long> kept = new HashSet<>();
      if (isValid() || !world.keeps(Rule.KEEPS_ONLY_COVERED_SPACES)) {
        kept.addAll(alive);
        last.announced().forEach(each -> kept.remove(each.space()));
      }
      alive = kept;
    }
    if (last == null || last.epoch() < record.epoch() || from > begin) {
      begin = from;
      known = record;
    }
  }
}
