package io.lazuli.examples;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.logtail.LogKeys;
import io.lazuli.client.pattern.logtail.LogTail;
import io.lazuli.client.table.Table;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;

/**
 * The expense claims of the Table Design Guide: each row key begins with the time that remains
 * until the end of the year 9999, so that the newest claims sort first. The first argument is a
 * connection string; without it, the example uses the development account.
 */
public final class ExpenseClaimsExample {
  /** An employee is a partition. */
  public record Claim(@PartitionKey String employee, @RowKey String id, int amount) {}

  private final Table<Claim> table;
  private final LogKeys keys = new LogKeys(Clock.systemUTC(), new SecureRandom());

  public ExpenseClaimsExample(Account account) {
    table = Table.of(account.table("ExpenseClaims"), Claim.class);
  }

  public static void main(String[] args) {
    ExpenseClaimsExample example = new ExpenseClaimsExample(Account.of(args));
    for (int amount = 1; amount <= 12; amount++) {
      example.claim("000123", amount);
    }
    System.out.println(example.lastTen("000123").stream().map(Claim::amount).toList());
  }

  public void claim(String employee, int amount) {
    table.insert(new Claim(employee, keys.next(), amount));
  }

  public List<Claim> lastTen(String employee) {
    // snippet
    List<Claim> lastTen = LogTail.of(table).latest(employee, 10);
    // end
    return lastTen;
  }
}
