package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.models.TableItem;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.halt.Journal.Attempt;
import io.lazuli.client.halt.Journal.End;
import io.lazuli.client.pattern.period.Period;
import io.lazuli.client.pattern.period.PeriodTables;
import io.lazuli.client.query.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A table for each day. Processes insert, and drop the first days. */
record PeriodWorkload(World world) implements Workload {
  private static final Instant FIRST = Instant.parse("2026-07-31T12:00:00Z");
  private static final int DAYS = 6;

  record Login(@PartitionKey String user, @RowKey String id, Instant time) {}

  private String family() {
    return world.name() + "L";
  }

  private static Instant day(int day) {
    return FIRST.plus(Duration.ofDays(day));
  }

  private PeriodTables<Login> logins(TestClient client) {
    return PeriodTables.of(client.tables(), family(), Period.DAY, Login.class, Login::time);
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    PeriodTables<Login> logins = logins(client);
    return random -> {
      int day = random.nextInt(DAYS);
      String id = Long.toHexString(random.nextLong());
      if (random.nextInt(6) == 0) {
        journal.attempt("drop " + day / 2, () -> logins.dropBefore(day(day / 2)));
      } else {
        journal.attempt(
            "insert " + id + " " + day, () -> logins.upsertReplace(new Login("jo", id, day(day))));
      }
    };
  }

  /** Drops again what a halted process may have dropped in part. */
  @Override
  public void settle(TestClient live) {
    logins(live).dropBefore(day(DAYS / 2));
  }

  @Override
  public void check(TestClient live, History history) {
    PeriodTables<Login> logins = logins(live);
    List<String> kept =
        history
            .all("insert", End.DONE)
            .filter(insert -> dayOf(insert) >= DAYS / 2)
            .map(insert -> insert.word(1))
            .toList();
    List<Login> found = logins.query(Query.all(), FIRST, day(DAYS)).toList();
    assertThat(found).extracting(Login::id).containsAll(kept).doesNotHaveDuplicates();
    assertThat(found).allMatch(login -> !login.time().isBefore(day(DAYS / 2)));
    logins.dropBefore(day(DAYS));
    assertThat(
            live.tables()
                .listTables()
                .map(TableItem::getName)
                .filter(name -> name.startsWith(family() + "2"))
                .toStream())
        .as("tables that nobody uses")
        .isEmpty();
  }

  private static int dayOf(Attempt insert) {
    return Integer.parseInt(insert.word(2));
  }
}
