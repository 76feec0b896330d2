package io.lazuli.server.console.access;

import io.lazuli.server.access.AccessTime;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants a shared access signature for.
 *
 * @param resource the name of the resource; a container, a slash and the rest for what is in one
 * @param at the snapshot or version; empty for others
 */
public record SasOrder(
    SasKind kind,
    String resource,
    String at,
    String permissions,
    String services,
    String types,
    String from,
    String to,
    String ip,
    boolean https,
    String policy,
    Keys keys) {
  /** The fields of a request. */
  public static final Set<String> FIELDS =
      Set.of(
          "kind",
          "resource",
          "at",
          "permissions",
          "services",
          "types",
          "from",
          "to",
          "ip",
          "https",
          "policy",
          "keys");

  private static final Set<String> KEY_FIELDS =
      Set.of("fromPartition", "fromRow", "toPartition", "toRow");
  private static final int TEXT_CHARS_MAX = 2_048;

  /** The keys of a table; empty texts for none. */
  public record Keys(String fromPartition, String fromRow, String toPartition, String toRow) {
    boolean isAll() {
      return fromPartition.isEmpty() && toPartition.isEmpty();
    }
  }

  /** Reads an order; throws 400 if it makes no sense. */
  public static SasOrder of(JsonBody body) {
    SasKind kind = SasKind.find(body.requireText("kind"));
    if (kind == null) {
      throw ConsoleErrors.badRequest("There is no signature of this kind.");
    }
    JsonBody keys = body.object("keys", KEY_FIELDS);
    SasOrder order =
        new SasOrder(
            kind,
            text(body, "resource"),
            text(body, "at"),
            text(body, "permissions"),
            text(body, "services"),
            text(body, "types"),
            text(body, "from"),
            text(body, "to"),
            text(body, "ip"),
            body.flag("https"),
            text(body, "policy"),
            new Keys(
                text(keys, "fromPartition"),
                text(keys, "fromRow"),
                text(keys, "toPartition"),
                text(keys, "toRow")));
    order.check();
    return order;
  }

  private static String text(@Nullable JsonBody body, String name) {
    String text = body == null ? null : body.text(name);
    if (text != null && text.length() > TEXT_CHARS_MAX) {
      throw ConsoleErrors.badRequest("The field " + name + " is too long.");
    }
    return text == null ? "" : text;
  }

  private void check() {
    require(isAmong(permissions, kind.letters()), "A permission is not one of this kind.");
    checkTimes();
    require(ip.matches("[0-9.]*(-[0-9.]+)?"), "The address must be IPv4, or a range of it.");
    boolean ofAccount = kind == SasKind.ACCOUNT;
    if (ofAccount) {
      require(!services.isEmpty() && isAmong(services, "bqt"), "Choose one of the services.");
      require(!types.isEmpty() && isAmong(types, "sco"), "Choose one of the levels.");
      require(policy.isEmpty(), "A signature for an account has no stored policy.");
    } else {
      require(!resource.isEmpty(), "The name of the resource is missing.");
      require(kind.isInContainer() == resource.contains("/"), kind.form());
      require(!resource.startsWith("/") && !resource.endsWith("/"), kind.form());
    }
    require(kind.hasTime() != at.isEmpty(), "The snapshot or version is missing or not wanted.");
    require(kind == SasKind.TABLE || keys.isAll(), "Only a table has keys.");
    require(!keys.fromPartition.isEmpty() || keys.fromRow.isEmpty(), "A row needs its partition.");
    require(!keys.toPartition.isEmpty() || keys.toRow.isEmpty(), "A row needs its partition.");
  }

  private void checkTimes() {
    Instant start = time(from);
    Instant end = time(to);
    require(end != null || !policy.isEmpty(), "The end is missing.");
    require(!permissions.isEmpty() || !policy.isEmpty(), "Choose what the token may do.");
    require(start == null || end == null || start.isBefore(end), "The end is before the start.");
  }

  private static @Nullable Instant time(String text) {
    Instant time = AccessTime.parse(text);
    require(time != null || text.isEmpty(), "A time is not like 2026-11-19T00:00:00Z.");
    return time;
  }

  private static boolean isAmong(String letters, String all) {
    return letters.chars().allMatch(c -> all.indexOf(c) >= 0)
        && letters.chars().distinct().count() == letters.length();
  }

  private static void require(boolean right, String why) {
    if (!right) {
      throw ConsoleErrors.badRequest(why);
    }
  }

  /** Returns the name as it is signed. */
  public String signedName() {
    return kind == SasKind.TABLE ? resource.toLowerCase(Locale.ROOT) : resource;
  }

  /** Returns the parameters of the signature. */
  public Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("sp", inOrder(permissions, kind.letters()));
    fields.put("st", from);
    fields.put("se", to);
    fields.put("sip", ip);
    fields.put("spr", https ? "https" : "https,http");
    switch (kind) {
      case ACCOUNT -> {
        fields.put("ss", services);
        fields.put("srt", inOrder(types, "sco"));
      }
      case TABLE -> {
        fields.put("tn", resource);
        fields.put("spk", keys.fromPartition);
        fields.put("srk", keys.fromRow);
        fields.put("epk", keys.toPartition);
        fields.put("erk", keys.toRow);
      }
      case QUEUE -> {}
      default -> {
        fields.put("sr", kind.letter());
        fields.put("snapshot", kind == SasKind.SNAPSHOT ? at : "");
        fields.put("versionid", kind == SasKind.VERSION ? at : "");
        fields.put("sdd", kind == SasKind.DIRECTORY ? depth() : "");
      }
    }
    fields.put("si", policy);
    return fields;
  }

  private static String inOrder(String letters, String all) {
    StringBuilder out = new StringBuilder();
    all.chars().filter(c -> letters.indexOf(c) >= 0).forEach(c -> out.append((char) c));
    return out.toString();
  }

  /** Returns the number of segments of the directory, after the container. */
  private String depth() {
    return Long.toString(resource.chars().filter(c -> c == '/').count());
  }
}
