package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.halt.Journal.End;
import io.lazuli.client.pattern.logtail.LogKeys;
import io.lazuli.client.pattern.logtail.LogTail;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Claims of the last days, of which the older half expires. */
record LogTailWorkload(World world) implements Workload {
  private static final Instant NOON = Instant.parse("2026-07-31T12:00:00Z");
  private static final int OLD = 220;

  record Claim(@PartitionKey String employee, @RowKey String id, String text) {}

  private Table<Claim> claims(TestClient client) {
    return Table.of(client.table(world.table()), Claim.class);
  }

  @Override
  public void prepare(TestClient live) {
    LogKeys keys = new LogKeys(Clock.systemUTC(), new Random(1));
    List<Write<Claim>> old =
        IntStream.range(0, OLD)
            .mapToObj(
                hour ->
                    Write.insert(
                        new Claim("p", keys.at(NOON.minus(Duration.ofHours(hour + 1))), "old")))
            .toList();
    claims(live).inChunks(old, 1);
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    Table<Claim> claims = claims(client);
    LogTail<Claim> tail = LogTail.of(claims);
    LogKeys keys = new LogKeys(Clock.systemUTC(), new Random());
    return random -> {
      String text = Long.toHexString(random.nextLong());
      Instant time = NOON.plus(Duration.ofMinutes(random.nextInt(1_000)));
      if (random.nextInt(4) == 0) {
        tail.expire("p", NOON);
      } else {
        journal.attempt("claim " + text, () -> claims.insert(new Claim("p", keys.at(time), text)));
      }
    };
  }

  @Override
  public void settle(TestClient live) {
    LogTail.of(claims(live)).expire("p", NOON);
  }

  @Override
  public void check(TestClient live, History history) {
    List<Claim> all = LogTail.of(claims(live)).latest("p", 1_000);
    assertThat(all)
        .extracting(Claim::text)
        .containsAll(history.words("claim", End.DONE))
        .doesNotHaveDuplicates()
        .doesNotContain("old");
    assertThat(all).extracting(Claim::id).isSorted();
  }
}
