package io.lazuli.examples;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.wide.WideTable;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A wide entity: the sales of each day of a year are 365 properties, and an entity can have 252.
 * Several entities store them, and one transaction writes all of these. Takes a connection string.
 */
public final class DailySalesExample {
  private static final int DAYS = 365;

  private final WideTable<TableEntity> years;

  public DailySalesExample(Account account) {
    years = WideTable.of(account.table("DailySales"), EntityCodec.dynamic());
  }

  public static void main(String[] args) {
    DailySalesExample example = new DailySalesExample(Account.of(args));
    example.store("Sales", "2026", 100);
    example.correct("Sales", "2026", 365, 7);
    System.out.println(example.total("Sales", "2026"));
  }

  /** Stores a year with equal sales, all days or none. */
  public void store(String department, String year, long each) {
    TableEntity sales = new TableEntity(department, year);
    IntStream.rangeClosed(1, DAYS).forEach(day -> sales.addProperty("Day" + day, each));
    years.upsertReplace(sales);
  }

  /** Writes only the entity that has this day. */
  public void correct(String department, String year, int day, long sales) {
    years.merge(new EntityKey(department, year), Map.of("Day" + day, sales));
  }

  /** Reads the whole year with one request. */
  public long total(String department, String year) {
    TableEntity sales = years.find(new EntityKey(department, year)).orElseThrow();
    return IntStream.rangeClosed(1, DAYS)
        .mapToLong(day -> (Long) sales.getProperty("Day" + day))
        .sum();
  }
}
