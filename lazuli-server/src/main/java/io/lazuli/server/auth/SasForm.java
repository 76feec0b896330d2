package io.lazuli.server.auth;

import io.lazuli.server.http.Address;
import io.lazuli.server.http.PercentEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is special about the shared access signatures of one service: where the resource is named
 * and what is signed besides the common fields (auth.md 4).
 *
 * @param service as the canonical resource names it; its first letter is the one in {@code ss}
 * @param resource finds the resource that a signature is for
 * @param ownFields parameters that follow the common ones in the string-to-sign
 */
record SasForm(String service, ResourceFinder resource, List<String> ownFields) {
  /** The field that names the resource. */
  static final String CANONICAL = "canonicalizedResource";

  private static final String FIRST_VERSION = "2012-02-12";
  private static final String NAMED_SERVICE = "2015-02-21";
  private static final String ADDRESS_AND_PROTOCOL = "2015-04-05";
  private static final String ENCRYPTION_SCOPE = "2020-12-06";

  /** Finds the resource that a signature is for. */
  @FunctionalInterface
  interface ResourceFinder {
    /** Null if the signature is none of this service. */
    @Nullable String find(SasParameters sas, Address address);
  }

  SasForm {
    ownFields = List.copyOf(ownFields);
  }

  /** For the table service: the name may come in any case and is signed in lower case. */
  static SasForm ofTables() {
    return new SasForm(
        "table",
        (sas, address) -> sas.has("tn") ? sas.text("tn").toLowerCase(Locale.ROOT) : null,
        List.of("spk", "srk", "epk", "erk"));
  }

  /** For the queue service: the resource is the queue in the path. */
  static SasForm ofQueues() {
    return new SasForm(
        "queue",
        (sas, address) -> sas.has("tn") || sas.has("sr") ? null : firstSegment(address.path()),
        List.of());
  }

  private static @Nullable String firstSegment(String path) {
    String[] segments = path.split("/", -1);
    return segments.length < 2 || segments[1].isEmpty()
        ? null
        : PercentEncoding.decode(segments[1]);
  }

  boolean isAmong(String services) {
    return services.indexOf(service.charAt(0)) >= 0;
  }

  /** The string-to-sign of a service SAS; null if there is none for its version. */
  @Nullable String serviceText(SasParameters sas, String account, String name) {
    List<SignedField> fields = serviceFields(sas, account, name);
    return fields == null ? null : join(fields);
  }

  /** What the string-to-sign of a service SAS is made of. */
  @Nullable List<SignedField> serviceFields(SasParameters sas, String account, String name) {
    if (!sas.isVersionFrom(FIRST_VERSION)) {
      return null;
    }
    String canonical = "/" + account + "/" + name;
    List<SignedField> fields = new ArrayList<>(16);
    add(fields, sas, "sp", "st", "se");
    fields.add(
        new SignedField(
            CANONICAL, sas.isVersionFrom(NAMED_SERVICE) ? "/" + service + canonical : canonical));
    add(fields, sas, "si");
    if (sas.isVersionFrom(ADDRESS_AND_PROTOCOL)) {
      add(fields, sas, "sip", "spr");
    }
    add(fields, sas, "sv");
    ownFields.forEach(field -> add(fields, sas, field));
    return fields;
  }

  /** The string-to-sign of an account SAS (auth.md 5); null if there is none for its version. */
  static @Nullable String accountText(SasParameters sas, String account) {
    List<SignedField> fields = accountFields(sas, account);
    return fields == null ? null : join(fields) + "\n";
  }

  /** What the string-to-sign of an account SAS is made of; each field ends its line. */
  static @Nullable List<SignedField> accountFields(SasParameters sas, String account) {
    if (!sas.isVersionFrom(ADDRESS_AND_PROTOCOL)) {
      return null;
    }
    List<SignedField> fields = new ArrayList<>(12);
    fields.add(new SignedField("account", account));
    add(fields, sas, "sp", "ss", "srt", "st", "se", "sip", "spr", "sv");
    if (sas.isVersionFrom(ENCRYPTION_SCOPE)) {
      add(fields, sas, "ses");
    }
    return fields;
  }

  static String join(List<SignedField> fields) {
    return fields.stream().map(SignedField::value).collect(Collectors.joining("\n"));
  }

  private static void add(List<SignedField> fields, SasParameters sas, String... names) {
    for (String name : names) {
      fields.add(new SignedField(name, sas.text(name)));
    }
  }
}
