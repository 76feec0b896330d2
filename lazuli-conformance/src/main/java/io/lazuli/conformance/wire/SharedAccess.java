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
 * Builds a shared access signature and signs it by the rules of auth 4 and 5. It signs any fields,
 * whether they make sense or not. Used by one test.
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

  /** Creates a signature for one table, valid for an hour and without permissions. */
  public static SharedAccess ofTable(Account account, String table) {
    return new SharedAccess(account).with("tn", table);
  }

  /** Creates a signature for one queue, valid for an hour and without permissions. */
  public static SharedAccess ofQueue(Account account, String queue) {
    SharedAccess access = new SharedAccess(account);
    access.resource = queue;
    return access;
  }

  /** Creates a signature for one container and its blobs. */
  public static SharedAccess ofContainer(Account account, String container) {
    SharedAccess access = new SharedAccess(account).with("sv", WireRequest.NEWER_VERSION);
    access.resource = container;
    return access.with("sr", "c");
  }

  /** Creates a signature for one blob, whose name is not encoded. */
  public static SharedAccess ofBlob(Account account, String container, String blob) {
    return ofContainer(account, container + "/" + blob).with("sr", "b");
  }

  /**
   * Creates a signature for one snapshot of a blob. The request URL must name the snapshot as well.
   */
  public static SharedAccess ofSnapshot(
      Account account, String container, String blob, String snapshot) {
    SharedAccess access = ofBlob(account, container, blob).with("sr", "bs");
    access.snapshot = snapshot;
    return access;
  }

  /**
   * Creates a signature for one version of a blob. The request URL must name the version as well.
   */
  public static SharedAccess ofVersion(
      Account account, String container, String blob, String version) {
    return ofSnapshot(account, container, blob, version).with("sr", "bv");
  }

  /**
   * Creates a signature for a virtual directory.
   *
   * @param depth the number of segments of the directory
   */
  public static SharedAccess ofDirectory(
      Account account, String container, String directory, int depth) {
    return ofBlob(account, container, directory)
        .with("sr", "d")
        .with("sdd", Integer.toString(depth));
  }

  /**
   * Creates an account signature for the account's service and all resource types, without
   * permissions.
   */
  public static SharedAccess ofAccount(Account account) {
    String letter = account.service().word().substring(0, 1);
    return new SharedAccess(account).with("ss", letter).with("srt", "sco");
  }

  /** Returns the time that is this far from now, in the form that signatures use. */
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

  /** Returns the signed query string, with every value percent-encoded. */
  public String token() {
    return text(fields) + "&sig=" + Keys.encode(signature());
  }

  /** Returns the query string with one field changed after signing. */
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

  /** Returns the string to sign of a service SAS: auth 4.2, 4.3, 4.4. */
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

  /** Returns the lines of the string to sign that are specific to the account's service. */
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

  /** Returns the string to sign of an account SAS: auth 5. */
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
