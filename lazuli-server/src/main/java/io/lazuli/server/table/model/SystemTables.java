package io.lazuli.server.table.model;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables to which the server writes the metrics of an account (logs-and-metrics 6). Clients
 * read them by name. They can delete entities, but they cannot write to these tables.
 */
public final class SystemTables {
  /** The capacity of the blob service, by day. */
  public static final TableName CAPACITY = new TableName("$MetricsCapacityBlob");

  private static final String HOURS = "$MetricsHourPrimaryTransactions";
  private static final String MINUTES = "$MetricsMinutePrimaryTransactions";

  /** The first part of the names that the hour tables had before 2013. They still work. */
  private static final String OLD_HOURS = "$MetricsTransactions";

  private static final Map<String, TableName> BY_KEY = byKey();

  private SystemTables() {}

  private static Map<String, TableName> byKey() {
    Map<String, TableName> tables = new HashMap<>();
    tables.put(CAPACITY.key(), CAPACITY);
    for (String service : List.of("blob", "queue", "table")) {
      TableName hours = hours(service);
      TableName minutes = minutes(service);
      tables.put(hours.key(), hours);
      tables.put(minutes.key(), minutes);
      tables.put(named(OLD_HOURS, service).key(), hours);
    }
    return Map.copyOf(tables);
  }

  /**
   * Returns the table of a service's requests by hour.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  public static TableName hours(String service) {
    return named(HOURS, service);
  }

  /** Returns the table of a service's requests by minute. */
  public static TableName minutes(String service) {
    return named(MINUTES, service);
  }

  private static TableName named(String first, String service) {
    return new TableName(
        first + service.substring(0, 1).toUpperCase(Locale.ROOT) + service.substring(1));
  }

  /** Returns the table that a name in any letter case stands for; null if there is none. */
  static @Nullable TableName find(String text) {
    return text.startsWith("$") ? BY_KEY.get(text.toLowerCase(Locale.ROOT)) : null;
  }

  /** Returns whether a name in any letter case stands for one of these tables. */
  public static boolean contains(String text) {
    return find(text) != null;
  }
}
