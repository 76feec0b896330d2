package io.lazuli.storage.hbase.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.DataFormat;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.format.FormatWorld.Server;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The rules by which the format of a shared store rises. */
class StoreFormatTest {
  private static final Duration MARGIN = FormatWorld.LEASE.dividedBy(4);
  private static final byte[] ANY = {1};

  private final FormatWorld world = new FormatWorld();

  @Test
  void aStoreOfBeforeGetsTheFormatThatOlderVersionsRead() {
    Server first = world.server(2);
    first.format.join();
    assertThat(first.format.number()).isEqualTo(2);
    assertThat(FormatRow.decode(world.row.encode())).isEqualTo(world.row);
    assertThat(world.row.members()).hasSize(1);
  }

  @Test
  void theFormatRisesOnceTheLastOldServerHasLeft() {
    Server old = world.server(2);
    old.format.join();
    Server first = world.server(3);
    first.format.join();
    Server second = world.server(3);
    second.format.join();
    assertThat(second.format.number()).isEqualTo(2);
    old.format.leave();
    first.format.begin();
    assertThat(first.format.number()).isEqualTo(3);
    assertThat(second.format.number()).as("until it renews").isEqualTo(2);
    second.format.begin();
    assertThat(second.format.number()).isEqualTo(3);
  }

  @Test
  void anOldServerMayComeBackUntilTheFormatRises() {
    Server fresh = world.server(3);
    Server old = world.server(2);
    old.format.join();
    fresh.format.join();
    fresh.format.leave();
    Server back = world.server(2);
    back.format.join();
    assertThat(back.format.number()).isEqualTo(2);
    assertThat(world.row.number()).isEqualTo(2);
  }

  @Test
  void anOldServerIsRefusedAfterTheFormatHasRisen() {
    world.server(3).format.join();
    FormatRow before = world.row;
    assertThat(before.number()).isEqualTo(3);
    assertThatThrownBy(() -> world.server(2).format.join())
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining("data format 3, but this server reads data formats up to 2");
    assertThat(world.row).as("nothing is changed").isEqualTo(before);
  }

  @Test
  void anOperatorKeepsTheWayBackOpen() {
    Server fresh = world.server(3, 2, 1);
    fresh.format.join();
    fresh.format.begin();
    assertThat(world.row.number()).isEqualTo(2);
    world.server(2).format.join();
  }

  @Test
  void aKilledOldServerCountsUntilItsLeaseHasEnded() {
    world.server(2).format.join();
    Server fresh = world.server(3);
    fresh.format.join();
    world.pass(FormatWorld.LEASE.plus(MARGIN));
    fresh.format.begin();
    assertThat(fresh.format.number()).as("not yet").isEqualTo(2);
    world.pass(Duration.ofNanos(1));
    fresh.format.begin();
    assertThat(fresh.format.number()).isEqualTo(3);
    assertThat(world.row.members()).as("the killed one is forgotten").hasSize(1);
  }

  @Test
  void anOldServerThatSleptGivesUpBeforeItUsesTheStore() {
    Server old = world.server(2);
    old.format.join();
    Server fresh = world.server(3);
    fresh.format.join();
    world.pass(FormatWorld.LEASE.plus(MARGIN).plusNanos(1));
    fresh.format.begin();
    assertThat(world.row.number()).isEqualTo(3);
    CompletableFuture<Boolean> admitted = old.format.admit(StoreTable.TABLES, ANY);
    assertThatThrownBy(admitted::get)
        .hasCauseInstanceOf(StorageException.class)
        .hasMessageContaining("data format 3");
    assertThat(old.format.fault()).contains("data format 3");
    assertThat(world.reports).as("once").hasSize(1).first().asString().contains("data format 3");
  }

  @Test
  void aServerThatSleptGoesOnIfTheFormatIsTheSame() throws Exception {
    Server only = world.server(2);
    only.format.join();
    world.pass(FormatWorld.LEASE.multipliedBy(5));
    assertThat(only.format.isValid()).isFalse();
    assertThat(only.format.admit(StoreTable.TABLES, ANY).get()).isTrue();
    assertThat(only.format.isValid()).isTrue();
  }

  @Test
  void aClosedServerUsesNothing() {
    Server only = world.server(2);
    only.format.join();
    only.format.leave();
    assertThat(world.row.members()).isEmpty();
    assertThatThrownBy(() -> only.format.admit(StoreTable.TABLES, ANY).get())
        .cause()
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.CLOSED));
  }

  @Test
  void everyVersionReadsTheNumberOfALaterRow() {
    byte[] later = {0, 0, 0, 9, 1, 2, 3};
    assertThat(FormatRow.number(later)).isEqualTo(9);
  }

  @Test
  void theNewestFormatIsThatOfOldStores() {
    // The next format needs a value of its own in a backup, and a decision about older backups.
    assertThat(DataFormat.newest()).isEqualTo(FormatRow.OF_OLD_STORE.number());
  }

  /**
   * No server that cannot read the format of the store may use the store, whatever servers come,
   * go, sleep and wake, with clocks whose rates differ by up to a fifth.
   */
  @Test
  void noServerUsesAStoreThatItCannotRead() {
    int raised = 0;
    for (long seed = 0; seed < 300; seed++) {
      FormatWorld random = new FormatWorld();
      int number = history(random, new Random(seed), "seed " + seed);
      raised += number > 2 ? 1 : 0;
    }
    assertThat(raised).as("histories in which the format rose").isBetween(50, 299);
  }

  private static int history(FormatWorld random, Random choice, String seed) {
    for (int step = 0; step < 150; step++) {
      step(random, choice, step);
      for (Server server : random.servers) {
        assertThat(!server.format.isValid() || server.newest >= random.row.number())
            .as("%s, step %d", seed, step)
            .isTrue();
      }
      random.pass(Duration.ofSeconds(choice.nextInt(60)));
    }
    return random.row.number();
  }

  private static void step(FormatWorld random, Random choice, int step) {
    int turn = choice.nextInt(12);
    if (turn == 0 || random.servers.isEmpty()) {
      int newest = choice.nextInt(100) < step ? 3 : 2;
      Server joined = random.server(newest, newest, 0.9 + choice.nextInt(21) / 100.0);
      try {
        joined.format.join();
      } catch (EngineOpenException e) {
        random.servers.remove(joined);
      }
      return;
    }
    Server server = random.servers.get(choice.nextInt(random.servers.size()));
    switch (turn) {
      case 1 -> server.pause();
      case 2, 3 -> server.wake();
      case 4 -> {
        server.wake();
        server.format.leave();
        random.servers.remove(server);
      }
      case 5 -> random.servers.remove(server);
      default -> random.servers.forEach(each -> each.format.begin());
    }
  }
}
