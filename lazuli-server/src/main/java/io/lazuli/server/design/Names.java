package io.lazuli.server.design;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes names of Java and of tables from what a person wrote. Only ASCII letters, digits and
 * underscores remain, so nothing that was written can become code.
 */
public final class Names {
  private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9]+");
  private static final int TABLE_CHARS_MAX = 63;

  /** Words that cannot name a component of a record, or would hide what the code uses. */
  private static final Set<String> TAKEN =
      Set.of(
          ("abstract assert boolean break byte case catch char class clone const continue default"
                  + " do double else enum equals extends false final finalize finally float for"
                  + " getClass goto hashCode if implements import instanceof int interface long"
                  + " native new notify notifyAll null package private protected public return"
                  + " short static strictfp super switch synchronized this throw throws toString"
                  + " transient true try void volatile wait while yield record var sealed permits"
                  + " partitionKey rowKey timestamp eTag of keyOf"
                  + " amountValue change changes entity firstDay fromValue lastDay pointNumber"
                  + " startText toValue whenValue")
              .split(" ", -1));

  /** Types that the generated code uses by these names. */
  private static final Set<String> TYPES =
      Set.of(
          ("Async AsyncIndexedTable AsyncKeyListIndex AsyncLargeTable AsyncListedTable AsyncLogReader"
                  + " AsyncLogWriter AsyncMove AsyncPrimaryTable AsyncTable Batch"
                  + " Blob BlobContainerAsyncClient BlobServiceAsyncClient Boolean Byte Clock"
                  + " Comparator Condition"
                  + " DateTimeFormatter Double Duration EntityCodec EntityKey Filter Index"
                  + " IndexedTable Instant Integer InvertedTicks KeyFormat LargeTable List"
                  + " ListedTable LogEntry LogOptions LogReader LogWriter Long Lookup AsyncLookup"
                  + " Map Model Name Object Optional Outbox PartitionKey Period PeriodTables Points"
                  + " DetailCopies AsyncDetailCopies IdempotentStep KeyPart LogTail Objects OutboxWorker"
                  + " Override PoisonQueue PrimaryTable Set PartitionKeyParts RowKeyParts"
                  + " Query Queue QueueAsyncClient QueueServiceAsyncClient Record RowKey Series Stream"
                  + " String System Table TableAsyncClient TableEntity TableServiceAsyncClient"
                  + " TableServiceClient UUID UnaryOperator WideTable Write ZoneOffset")
              .split(" ", -1));

  private Names() {}

  /** Returns the words of a name, joined: {@code Manager Rating} becomes {@code ManagerRating}. */
  private static String joined(String name) {
    StringBuilder out = new StringBuilder();
    for (String word : OTHER.split(name, -1)) {
      if (!word.isEmpty()) {
        out.append(upper(word));
      }
    }
    int start = 0;
    while (start < out.length() && Character.isDigit(out.charAt(start))) {
      start++;
    }
    return upper(out.substring(start));
  }

  private static String upper(String word) {
    return word.isEmpty()
        ? word
        : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  private static String lower(String word) {
    return word.isEmpty()
        ? word
        : word.substring(0, 1).toLowerCase(Locale.ROOT) + word.substring(1);
  }

  /** Returns the name of a property in a table; empty if the name has no letter of ASCII. */
  public static String column(String name) {
    String column = joined(name);
    return switch (column) {
      case "PartitionKey", "RowKey", "Timestamp" -> column + "Value";
      default -> column;
    };
  }

  /** Returns the name of a class. */
  public static String type(String name) {
    String type = joined(name);
    while (TYPES.contains(type)) {
      type += "Entity";
    }
    return type;
  }

  /** Returns the name of a component, field or parameter. */
  public static String component(String name) {
    String component = lower(column(name));
    return TAKEN.contains(component) ? component + "Value" : component;
  }

  /** Returns the word that starts the keys of one kind of row. */
  static String prefix(String name) {
    return joined(name).toLowerCase(Locale.ROOT);
  }

  /** Returns the name of a table. */
  public static String table(String... names) {
    StringBuilder table = new StringBuilder();
    for (String name : names) {
      table.append(joined(name));
    }
    while (table.length() < 3) {
      table.append('s');
    }
    return table.substring(0, Math.min(TABLE_CHARS_MAX, table.length()));
  }
}
