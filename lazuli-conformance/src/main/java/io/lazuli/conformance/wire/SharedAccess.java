package io.lazuli.conformance.wire;

import io.lazuli.conformance.Account;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A shared access signature that is being put together by the one test that owns it, signed by the
 * rules of auth.md 4 and 5 when it is asked for. It signs whatever it is told, sense or not.
 */
public final class SharedAccess {

  private final Account account;
  private final Map<String, String> fields = new LinkedHashMap<>();
  private String key;
  private String resource = "";
  private String snapshot = "";

  private SharedAccess(Account account) {
    this.account = account;
    this.key = account.key();
    with("sv", WireRequest.VERSION);
    with("se", time(Duration.ofHours(1)));
  }

  /** For one table: valid for an hour, without any permission yet. */
  public static SharedAccess ofTable(Account account, String table) {
    return new SharedAccess(account).with("tn", table);
  }

  /** For one queue, in the same way. */
  public static SharedAccess ofQueue(Account account, String queue) {
    SharedAccess access = new SharedAccess(account);
    access.resource = queue;
    return access;
  }

  /** For one container and the blobs in it. */
  public static SharedAccess ofContainer(Account account, String container) {
    SharedAccess access = new SharedAccess(account).with("sv", WireRequest.NEWER_VERSION);
    access.resource = container;
    return access.with("sr", "c");
  }

  /** For one blob, named as it is before it is encoded. */
  public static SharedAccess ofBlob(Account account, String container, String blob) {
    return ofContainer(account, container + "/" + blob).with("sr", "b");
  }

  /** For one snapshot of a blob; the time itself stands in the URL. */
  public static SharedAccess ofSnapshot(
      Account account, String container, String blob, String snapshot) {
    SharedAccess access = ofBlob(account, container, blob).with("sr", "bs");
    access.snapshot = snapshot;
    return access;
  }

  /** For the service of an account: all types of resources, no permission yet. */
  public static SharedAccess ofAccount(Account account) {
    String letter = account.service().word().substring(0, 1);
    return new SharedAccess(account).with("ss", letter).with("srt", "sco");
  }

  /** The time that is so far from now, in the form of these signatures. */
  public static String time(Duration fromNow) {
    return Instant.now().plus(fromNow).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  public SharedAccess with(String field, String value) {
    fields.put(field, value);
    return this;
  }

  public SharedAccess without(String field) {
    fields.remove(field);
    return this;
  }

  public SharedAccess permissions(String letters) {
    return with("sp", letters);
  }

  public SharedAccess key(String otherKey) {
    this.key = otherKey;
    return this;
  }

  /** The signed query text, every value percent-encoded. */
  public String token() {
    return text(fields) + "&sig=" + Keys.encode(signature());
  }

  /** The signature of these fields with one of them exchanged behind its back. */
  public String tokenAltered(String field, String value) {
    Map<String, String> altered = new LinkedHashMap<>(fields);
    altered.put(field, value);
    return text(altered) + "&sig=" + Keys.encode(signature());
  }

  public String signature() {
    return Signing.hmac(key, fields.containsKey("ss") ? accountText() : serviceText());
  }

  private static String text(Map<String, String> fields) {
    List<String> parts = new ArrayList<>();
    fields.forEach((name, value) -> parts.add(name + "=" + Keys.encode(value)));
    return String.join("&", parts);
  }

  /** auth.md 4.2 to 4.4. */
  private String serviceText() {
    String service = account.service().word();
    String name = resource.isEmpty() ? field("tn").toLowerCase(Locale.ROOT) : resource;
    String from = since("2015-02-21") ? "/" + service + "/" : "/";
    List<String> lines = new ArrayList<>(of("sp", "st", "se"));
    lines.add(from + account.name() + "/" + name);
    lines.addAll(since("2015-04-05") ? of("si", "sip", "spr", "sv") : of("si", "sv"));
    lines.addAll(ownLines());
    return String.join("\n", lines);
  }

  /** What only the service of the account signs. */
  private List<String> ownLines() {
    return switch (account.service()) {
      case TABLE -> of("spk", "srk", "epk", "erk");
      case QUEUE -> List.of();
      case BLOB -> blobLines();
    };
  }

  private List<String> blobLines() {
    List<String> lines = new ArrayList<>();
    if (since("2018-11-09")) {
      lines.addAll(List.of(field("sr"), snapshot));
    }
    lines.addAll(since("2020-12-06") ? of("ses") : List.of());
    lines.addAll(of("rscc", "rscd", "rsce", "rscl", "rsct"));
    return lines;
  }

  /** auth.md 5. */
  private String accountText() {
    List<String> lines = new ArrayList<>(List.of(account.name()));
    lines.addAll(of("sp", "ss", "srt", "st", "se", "sip", "spr", "sv"));
    lines.addAll(since("2020-12-06") ? of("ses") : List.of());
    return String.join("\n", lines) + "\n";
  }

  private boolean since(String version) {
    return field("sv").compareTo(version) >= 0;
  }

  private List<String> of(String... names) {
    List<String> values = new ArrayList<>();
    for (String name : names) {
      values.add(field(name));
    }
    return values;
  }

  private String field(String name) {
    return fields.getOrDefault(name, "");
  }
}
