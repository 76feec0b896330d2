package io.lazuli.server.table.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.TableErrors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resource that a path below the account names (table-rest 2.2). Names and keys are not checked
 * here.
 */
sealed interface ResourcePath {
  /** Returns the name of the table; empty if the path names none. */
  default String table() {
    return "";
  }

  /** The service itself. */
  record Service() implements ResourcePath {}

  /** {@code /Tables}. */
  record TableCollection() implements ResourcePath {}

  /** {@code /Tables('name')}. */
  record TableEntry(String table) implements ResourcePath {}

  /** {@code /$batch}. */
  record Batch() implements ResourcePath {}

  /** {@code /$metadata}. */
  record Metadata() implements ResourcePath {}

  /** {@code /name} or {@code /name()}. */
  record EntityCollection(String table) implements ResourcePath {}

  /** {@code /name(PartitionKey='…')}, as the design guide writes its log-tail query. */
  record PartitionCollection(String table, String partitionKey) implements ResourcePath {}

  /** {@code /name(PartitionKey='…',RowKey='…')}. */
  record EntityEntry(String table, EntityKey key) implements ResourcePath {}

  /**
   * Parses a path.
   *
   * @param account the account, which some error texts name
   */
  static ResourcePath parse(String rawPath, String account) {
    String raw = rawPath.startsWith("/") ? rawPath.substring(1) : rawPath;
    if (raw.isEmpty()) {
      return new Service();
    }
    int slash = raw.indexOf('/');
    String segment = decode(slash < 0 ? raw : raw.substring(0, slash));
    ResourcePath resource = parseSegment(segment, account);
    if (slash >= 0) {
      checkRest(decode(raw.substring(slash + 1)), resource, account);
    }
    return resource;
  }

  /**
   * Throws if the segment after a table name has keys (table-rest 2.2, rule 9). Any other second
   * segment is ignored, as the live service does. Clients send one if they were configured with the
   * URL of a table instead of the account's URL.
   */
  private static void checkRest(String rest, ResourcePath resource, String account) {
    boolean keyed = rest.indexOf('(') >= 0 && !rest.endsWith("()");
    if (keyed && resource instanceof EntityCollection collection) {
      throw wrongKeyCount(account, collection.table);
    }
  }

  private static ResourcePath parseSegment(String segment, String account) {
    int open = segment.indexOf('(');
    String name = open < 0 ? segment : segment.substring(0, open);
    if (open >= 0 && !segment.endsWith(")")) {
      throw TableErrors.INVALID_PATH.exception();
    }
    String predicate = open < 0 ? "" : segment.substring(open + 1, segment.length() - 1);
    return switch (name) {
      case "Tables" -> tables(predicate, account);
      case "$batch" -> new Batch();
      case "$metadata" -> new Metadata();
      default -> entities(name, predicate, account);
    };
  }

  private static ResourcePath tables(String predicate, String account) {
    if (predicate.isBlank()) {
      return new TableCollection();
    }
    List<Key> keys = keys(predicate);
    if (keys.size() != 1 || !(keys.get(0).name.isEmpty() || keys.get(0).name.equals("TableName"))) {
      throw wrongKeyCount(account, "Tables");
    }
    return new TableEntry(keys.get(0).value);
  }

  private static ResourcePath entities(String table, String predicate, String account) {
    if (predicate.isBlank()) {
      return new EntityCollection(table);
    }
    List<Key> keys = keys(predicate);
    String partitionKey = find(keys, "PartitionKey");
    String rowKey = find(keys, "RowKey");
    if (keys.size() == 2 && partitionKey != null && rowKey != null) {
      return new EntityEntry(table, new EntityKey(partitionKey, rowKey));
    }
    if (keys.size() == 1 && partitionKey != null) {
      return new PartitionCollection(table, partitionKey);
    }
    throw wrongKeyCount(account, table);
  }

  /** One key of a predicate; the name is empty if the key has none. */
  record Key(String name, String value) {}

  private static @Nullable String find(List<Key> keys, String name) {
    for (Key key : keys) {
      if (key.name.equals(name)) {
        return key.value;
      }
    }
    return null;
  }

  /** Parses a list of keys. A string ends at a quote that is not followed by another quote. */
  private static List<Key> keys(String predicate) {
    List<Key> keys = new ArrayList<>(2);
    int at = 0;
    while (true) {
      int quote = predicate.indexOf('\'', at);
      if (quote < 0) {
        throw TableErrors.INVALID_PATH.exception();
      }
      String head = predicate.substring(at, quote).strip();
      if (!head.isEmpty() && !head.endsWith("=")) {
        throw TableErrors.INVALID_PATH.exception();
      }
      String name = head.isEmpty() ? "" : head.substring(0, head.length() - 1).strip();
      StringBuilder value = new StringBuilder();
      at = quoted(predicate, quote + 1, value);
      keys.add(new Key(name, value.toString()));
      while (at < predicate.length() && predicate.charAt(at) == ' ') {
        at++;
      }
      if (at == predicate.length()) {
        return keys;
      }
      if (predicate.charAt(at++) != ',') {
        throw TableErrors.INVALID_PATH.exception();
      }
    }
  }

  /**
   * Collects the rest of a string after its opening quote; returns the index after the closing
   * quote.
   */
  private static int quoted(String text, int from, StringBuilder value) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\'') {
        value.append(c);
      } else if (i + 1 < text.length() && text.charAt(i + 1) == '\'') {
        value.append(c);
        i++;
      } else {
        return i + 1;
      }
    }
    throw TableErrors.INVALID_PATH.exception();
  }

  private static String decode(String segment) {
    String text = PercentEncoding.decode(segment);
    if (text == null) {
      throw CommonErrors.INVALID_URI.exception();
    }
    return text;
  }

  /** Throws if the path names a partition, as the live service does. */
  static void requireNoPartition(ResourcePath path, String account) {
    if (path instanceof PartitionCollection partition) {
      throw wrongKeyCount(account, partition.table);
    }
  }

  private static RuntimeException wrongKeyCount(String account, String table) {
    return TableErrors.WRONG_KEY_COUNT.exception().with("resource", account + "." + table);
  }
}
