package io.lazuli.server.design;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The two keys of a kind of rows. A key without parts is empty. */
public record Keys(List<KeyPart> partition, List<KeyPart> row) {
  public Keys {
    partition = List.copyOf(partition);
    row = List.copyOf(row);
  }

  /** Returns a key as it is shown: {@code empid_{empid, 6 digits}_{year, 4 digits}}. */
  public static String template(List<KeyPart> parts) {
    return parts.stream().map(KeyPart::template).collect(Collectors.joining("_"));
  }

  Set<String> partitionProperties() {
    return properties(partition);
  }

  /** Returns the first property of the partition key; empty if there is none. */
  String firstOfPartition() {
    Set<String> names = partitionProperties();
    return names.isEmpty() ? "" : names.iterator().next();
  }

  static Set<String> properties(List<KeyPart> parts) {
    Set<String> names = new LinkedHashSet<>();
    for (KeyPart part : parts) {
      if (!part.isLiteral()) {
        names.add(part.name());
      }
    }
    return names;
  }

  boolean hasRowPrefix() {
    return !row.isEmpty() && row.get(0).isLiteral();
  }

  Keys withRowPrefix(String word) {
    return new Keys(partition, prefixed(word, row));
  }

  Keys withPartitionPrefix(String word) {
    return new Keys(prefixed(word, partition), row);
  }

  private static List<KeyPart> prefixed(String word, List<KeyPart> parts) {
    List<KeyPart> all = new ArrayList<>();
    all.add(KeyPart.literal(word));
    all.addAll(parts);
    return all;
  }

  /** Returns how values must be written so that keys sort like values, in sentences. */
  public List<String> encoding() {
    Set<String> sentences = new LinkedHashSet<>();
    List<KeyPart> all = new ArrayList<>(partition);
    all.addAll(row);
    for (KeyPart part : all) {
      switch (part.form()) {
        case PADDED ->
            sentences.add(
                part.name()
                    + " has "
                    + part.digits()
                    + " digits with leading zeros, so that keys sort like numbers.");
        case TIME ->
            sentences.add(
                part.name() + " is written in UTC, year first, so that keys sort by time.");
        case REVERSED_TICKS ->
            sentences.add(
                part.name()
                    + " is written as the ticks until the year 9999, 19 digits: the newest sorts"
                    + " first.");
        case DAY -> sentences.add("The day of " + part.name() + " is written in UTC, year first.");
        case LITERAL, TEXT -> {}
      }
    }
    if (partition.size() > 1 || row.size() > 1) {
      sentences.add("Parts are joined by an underscore; KeyFormat escapes it inside of texts.");
    }
    return List.copyOf(sentences);
  }
}
