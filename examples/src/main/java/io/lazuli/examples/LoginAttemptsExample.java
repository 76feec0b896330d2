package io.lazuli.examples;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.period.Period;
import io.lazuli.client.pattern.period.PeriodDropped;
import io.lazuli.client.pattern.period.PeriodTables;
import io.lazuli.client.query.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The login attempts of the Table Design Guide: one table for each day, so that old days are
 * deleted with their tables instead of entity by entity. Takes a connection string.
 */
public final class LoginAttemptsExample {
  /** A user is a partition. */
  public record Attempt(@PartitionKey String user, @RowKey String id, Instant time) {}

  private final PeriodTables<Attempt> days;

  public LoginAttemptsExample(Account account) {
    // snippet
    days = PeriodTables.of(account.tables(), "Logins", Period.DAY, Attempt.class, Attempt::time);
    // end
  }

  public static void main(String[] args) {
    LoginAttemptsExample example = new LoginAttemptsExample(Account.of(args));
    Instant now = Instant.parse("2026-07-31T12:00:00Z");
    for (int day = 0; day < 4; day++) {
      example.attempt("jones", now.minus(Duration.ofDays(day)));
    }
    example.dropBefore(now.minus(Duration.ofDays(1)));
    System.out.println(example.count("jones", now.minus(Duration.ofDays(9)), now) + " are left");
  }

  /** Stores an attempt; returns false if it is too late because its day was dropped. */
  public boolean attempt(String user, Instant time) {
    try {
      days.insert(new Attempt(user, UUID.randomUUID().toString(), time));
      return true;
    } catch (PeriodDropped e) {
      return false;
    }
  }

  /** Returns the number of attempts of a user on the days from one time to another. */
  public long count(String user, Instant from, Instant to) {
    return days.query(Query.partition(user), from, to).count();
  }

  /** Drops earlier days; returns their number. */
  public long dropBefore(Instant time) {
    return days.dropBefore(time);
  }
}
