package io.lazuli.server.console.access;

import io.lazuli.server.access.AccessTime;
import io.lazuli.server.console.access.SasOrder.Keys;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says in words what a shared access signature allows, and what to beware of. */
public final class SasWords {
  private static final Duration LONG_TIME = Duration.ofDays(30);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final Map<Character, String> VERBS =
      Map.ofEntries(
          Map.entry('r', "read"),
          Map.entry('a', "add"),
          Map.entry('u', "change"),
          Map.entry('d', "delete"),
          Map.entry('p', "take and delete"),
          Map.entry('c', "create"),
          Map.entry('w', "write"),
          Map.entry('l', "list"),
          Map.entry('x', "delete versions of"),
          Map.entry('y', "erase deleted"),
          Map.entry('t', "read and set tags of"),
          Map.entry('f', "find by tags"),
          Map.entry('i', "set immutability of"));

  private SasWords() {}

  /** Returns the sentences about the right. */
  public static List<String> words(SasOrder order) {
    List<String> words = new ArrayList<>();
    words.add(
        order.permissions().isEmpty()
            ? "What it may do with " + what(order) + " is in the policy ‘" + order.policy() + "’."
            : "May " + verbs(order.permissions()) + " " + what(order) + ".");
    if (!order.keys().isAll()) {
      words.add(keys(order.keys()));
    }
    if (!order.ip().isEmpty()) {
      words.add("Only from address " + order.ip() + ".");
    }
    if (order.https()) {
      words.add("Only over https.");
    }
    words.add(times(order));
    return words;
  }

  /** Returns what to beware of. */
  public static List<String> warnings(SasOrder order, Instant now) {
    List<String> warnings = new ArrayList<>();
    Instant end = AccessTime.parse(order.to());
    warnings.add(
        order.policy().isEmpty()
            ? "Anybody who has this text can use it until then. It cannot be taken back without"
                + " changing the account's first key."
            : "Anybody who has this text can use it. Removing the policy takes it back.");
    if (end != null && !end.isAfter(now)) {
      warnings.add("The end has passed: the token never works.");
    }
    if (end != null && end.isAfter(now.plus(LONG_TIME))) {
      warnings.add(
          "It works for " + Duration.between(now, end).toDays() + " days. Shorter is safer.");
    }
    if (!order.https()) {
      warnings.add("It also works over plain http, where others on the way can read it.");
    }
    if (order.kind() == SasKind.ACCOUNT && order.permissions().matches(".*[wducp].*")) {
      warnings.add("It changes data of the whole account. A token for one resource is safer.");
    }
    return warnings;
  }

  private static String verbs(String letters) {
    List<String> verbs = letters.chars().mapToObj(c -> VERBS.getOrDefault((char) c, "")).toList();
    int last = verbs.size() - 1;
    return last == 0
        ? verbs.get(0)
        : String.join(", ", verbs.subList(0, last)) + " and " + verbs.get(last);
  }

  private static String what(SasOrder order) {
    String name = "‘" + order.resource() + "’";
    return switch (order.kind()) {
      case ACCOUNT -> levels(order) + " of " + services(order.services());
      case TABLE -> "entities of table " + name;
      case QUEUE -> "messages of queue " + name;
      case CONTAINER -> "blobs of container " + name;
      case DIRECTORY -> "blobs in directory " + name;
      case BLOB -> "blob " + name;
      case SNAPSHOT -> "snapshot " + order.at() + " of blob " + name;
      case VERSION -> "version " + order.at() + " of blob " + name;
    };
  }

  private static String levels(SasOrder order) {
    List<String> levels = new ArrayList<>();
    if (order.types().contains("s")) {
      levels.add("settings and lists");
    }
    if (order.types().contains("c")) {
      levels.add("containers, queues and tables");
    }
    if (order.types().contains("o")) {
      levels.add("blobs, messages and entities");
    }
    return String.join("; ", levels);
  }

  private static String services(String letters) {
    List<String> names = new ArrayList<>();
    if (letters.contains("b")) {
      names.add("blob");
    }
    if (letters.contains("q")) {
      names.add("queue");
    }
    if (letters.contains("t")) {
      names.add("table");
    }
    return "the services " + String.join(", ", names);
  }

  private static String keys(Keys keys) {
    String from = key(keys.fromPartition(), keys.fromRow());
    String to = key(keys.toPartition(), keys.toRow());
    if (keys.fromPartition().isEmpty()) {
      return "Only up to " + to + ", that included.";
    }
    return keys.toPartition().isEmpty()
        ? "Only from " + from + " on."
        : from.equals(to) ? "Only " + from + "." : "Only from " + from + " to " + to + ".";
  }

  private static String key(String partition, String row) {
    return "partition ‘" + partition + "’" + (row.isEmpty() ? "" : " row ‘" + row + "’");
  }

  private static String times(SasOrder order) {
    Instant from = AccessTime.parse(order.from());
    Instant to = AccessTime.parse(order.to());
    String start = from == null ? "" : "From " + TIME.format(from) + " ";
    String end = to == null ? "until the end in the policy." : "until " + TIME.format(to) + ".";
    return start.isEmpty() ? "U" + end.substring(1) : start + end;
  }
}
