package io.lazuli.storage.hbase.lease;

import static io.lazuli.storage.hbase.lease.LeaseWorld.then;

import io.lazuli.storage.hbase.lease.HomeRecord.Announcement;
import io.lazuli.storage.hbase.lease.LeaseWorld.Checks;
import io.lazuli.storage.hbase.lease.LeaseWorld.ChecksOfServer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A simulated server: it answers requests, drops spaces, and sometimes stops halfway. */
final class LeaseServer {
  private final LeaseWorld world;
  private final int server;
  private final ChecksOfServer checksOfServer;
  private Checks checks;

  LeaseServer(LeaseWorld world, int server, ChecksOfServer checksOfServer) {
    this.world = world;
    this.server = server;
    this.checksOfServer = checksOfServer;
    this.checks = checksOfServer.make(world, server, LeaseWorld.SHORT_LEASE);
  }

  void start() {
    world.later(server, world.below(20), this::request);
    world.later(server, world.below(200), this::drop);
    world.later(server, world.below(500), this::withdraw);
    world.later(server, world.below(1_500), this::lengthen);
  }

  private void request() {
    long space = world.anySpace();
    Supplier<CompletableFuture<Boolean>> check = checks.begin(space);
    then(
        world.callForData(server),
        dataTime -> {
          CompletableFuture<Boolean> checked = check.get();
          if (checked.isDone()) {
            world.countCovered();
          }
          then(checked, exists -> answer(space, dataTime, exists));
        });
    world.later(server, 1 + world.below(30), this::request);
  }

  private void answer(long space, long dataTime, boolean exists) {
    if (exists) {
      world.answered(server, space, dataTime);
    }
  }

  private void withdraw() {
    world.withdrawSomething(server);
    world.later(server, 1 + world.below(500), this::withdraw);
  }

  /** Starts anew with longer leases. */
  private void lengthen() {
    if (!world.keeps(Rule.RECORDS_LENGTH_FIRST)) {
      useLongLeases();
    }
    then(world.recordLongest(server, LeaseWorld.LONG_LEASE), recorded -> useLongLeases());
  }

  private void useLongLeases() {
    checks = checksOfServer.make(world, server, LeaseWorld.LONG_LEASE);
  }

  private void drop() {
    drop(world.anySpace());
    world.later(server, 1 + world.below(200), this::drop);
  }

  private void drop(long space) {
    if (!world.keeps(Rule.ANNOUNCES)) {
      commit(new Announcement(space, 0));
    } else if (world.keeps(Rule.READS_LENGTH_AFTER_ANNOUNCING)) {
      announceAndWait(space);
    } else {
      then(
          world.readLongest(server),
          longest ->
              then(
                  world.announce(server, space),
                  found -> commitAt(world.clock(server) + wait(longest), found)));
    }
  }

  private void announceAndWait(long space) {
    long sent = world.clock(server);
    then(
        world.announce(server, space),
        found -> {
          long from = world.keeps(Rule.WAITS_FROM_ANSWER) ? world.clock(server) : sent;
          then(world.readLongest(server), longest -> commitAt(from + wait(longest), found));
        });
  }

  private long wait(int longest) {
    if (!world.keeps(Rule.WAITS)) {
      return 0;
    }
    int length = world.keeps(Rule.WAITS_FOR_THE_LONGEST) ? longest : LeaseWorld.SHORT_LEASE;
    return world.keeps(Rule.HAS_A_MARGIN) ? length + length / 4 : length;
  }

  /** Commits when the server's clock shows a time, unless the server dies before. */
  private void commitAt(long clock, Announcement announcement) {
    if (world.below(6) > 0) {
      world.later(server, world.until(server, clock), () -> commit(announcement));
    }
  }

  private void commit(Announcement announcement) {
    then(
        world.commit(server, announcement),
        committed -> {
          if (!committed) {
            drop(announcement.space());
          }
        });
  }
}
