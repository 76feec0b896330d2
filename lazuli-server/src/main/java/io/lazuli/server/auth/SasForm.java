package io.lazuli.server.auth;

import io.lazuli.server.account.Account;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.CutPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a shared access signature that differ between services: where the resource is named,
 * and which fields are signed in addition to the common ones (auth 4).
 *
 * @param service the name in the canonical resource; its first letter is the one in {@code ss}
 * @param resource finds the resource that a signature is for
 * @param ownFields the fields that follow the common ones in the string-to-sign
 */
record SasForm(String service, ResourceFinder resource, OwnFields ownFields) {
  /** The field that names the resource. */
  static final String CANONICAL = "canonicalizedResource";

  private static final String FIRST_VERSION = "2012-02-12";
  private static final String NAMED_SERVICE = "2015-02-21";
  private static final String ADDRESS_AND_PROTOCOL = "2015-04-05";
  private static final String OVERRIDDEN_HEADERS = "2013-08-15";
  private static final String KIND_OF_RESOURCE = "2018-11-09";
  private static final String VERSIONS = "2019-10-10";
  private static final String DIRECTORIES = "2020-02-10";
  private static final String BOUND_USERS = "2025-07-05";
  private static final String SIGNED_HEADERS = "2026-04-06";
  private static final String ENCRYPTION_SCOPE = "2020-12-06";

  /** Finds the resource that a signature is for. */
  @FunctionalInterface
  interface ResourceFinder {
    /** Returns the name of the resource; null if the signature is not for this service. */
    @Nullable String find(SasParameters sas, Request request);
  }

  /**
   * Returns the parameters that follow the common ones in the string-to-sign. They may depend on
   * the version.
   */
  @FunctionalInterface
  interface OwnFields {
    List<String> of(SasParameters sas);
  }

  /**
   * Returns the form for the table service. The table's name may be sent in any case and is signed
   * in lower case.
   */
  static SasForm ofTables() {
    return new SasForm(
        "table",
        (sas, request) -> sas.has("tn") ? sas.text("tn").toLowerCase(Locale.ROOT) : null,
        sas -> List.of("spk", "srk", "epk", "erk"));
  }

  /** Returns the form for the queue service. The resource is the queue in the path. */
  static SasForm ofQueues() {
    return new SasForm(
        "queue",
        (sas, request) ->
            sas.has("tn") || sas.has("sr") ? null : first(CutPath.of(request.address().path())),
        sas -> List.of());
  }

  /**
   * Returns the form for the blob service. The parameter {@code sr} says whether the resource is
   * the container in the path, a directory of it, the blob, or one of its snapshots or versions.
   * The time of a snapshot or version is signed, so the signature is valid for no other one.
   */
  static SasForm ofBlobs() {
    return new SasForm(
        "blob",
        (sas, request) -> {
          CutPath path = CutPath.ofBlobs(request);
          return switch (sas.text("sr")) {
            case "c" -> first(path);
            case "d" -> directory(sas, path, request);
            case "b" -> blob(path);
            case "bs" ->
                isForTime(sas, SasParameters.SNAPSHOT, KIND_OF_RESOURCE) ? blob(path) : null;
            case "bv" -> isForTime(sas, SasParameters.VERSION, VERSIONS) ? blob(path) : null;
            default -> null;
          };
        },
        SasForm::blobFields);
  }

  /**
   * Returns whether the signature grants access to everything in a container. Only blobs are in
   * containers.
   */
  boolean isForContainer(SasParameters sas) {
    return service.equals("blob") && sas.text("sr").equals("c");
  }

  /** Returns whether the signature grants access to a virtual directory. */
  boolean isForDirectory(SasParameters sas) {
    return service.equals("blob") && sas.text("sr").equals("d");
  }

  private static List<String> blobFields(SasParameters sas) {
    List<String> fields = new ArrayList<>();
    if (sas.isVersionFrom(KIND_OF_RESOURCE)) {
      fields.add("sr");
      fields.add(sas.text("sr").equals("bv") ? SasParameters.VERSION : SasParameters.SNAPSHOT);
    }
    if (sas.isVersionFrom(ENCRYPTION_SCOPE)) {
      fields.add("ses");
    }
    if (sas.isVersionFrom(OVERRIDDEN_HEADERS)) {
      fields.addAll(List.of("rscc", "rscd", "rsce", "rscl", "rsct"));
    }
    return fields;
  }

  /**
   * Returns the string-to-sign of a user delegation SAS (blob-features 9.5).
   *
   * @return null if the version has none
   */
  @Nullable String delegationText(SasParameters sas, String account, String name, Request request) {
    boolean queue = service.equals("queue");
    if (!sas.isVersionFrom(queue ? BOUND_USERS : KIND_OF_RESOURCE)) {
      return null;
    }
    List<SignedField> fields = new ArrayList<>(28);
    add(fields, sas, "sp", "st", "se");
    fields.add(new SignedField(CANONICAL, "/" + service + "/" + account + "/" + name));
    add(fields, sas, "skoid", "sktid", "skt", "ske", "sks", "skv");
    if (!queue && sas.isVersionFrom(DIRECTORIES)) {
      add(fields, sas, "saoid", "suoid", "scid");
    }
    if (sas.isVersionFrom(BOUND_USERS)) {
      add(fields, sas, "skdutid", "sduoid");
    }
    add(fields, sas, "sip", "spr", "sv");
    for (String field : ownFields.of(sas)) {
      if (field.equals("rscc") && sas.isVersionFrom(SIGNED_HEADERS)) {
        fields.add(new SignedField("srh", signedHeaders(sas, request)));
        fields.add(new SignedField("srq", signedQuery(sas, request)));
      }
      add(fields, sas, field);
    }
    return join(fields);
  }

  private static String signedHeaders(SasParameters sas, Request request) {
    return names(sas, "srh").stream()
        .map(name -> name + ":" + orEmpty(request.header(name)) + "\n")
        .collect(Collectors.joining());
  }

  private static String signedQuery(SasParameters sas, Request request) {
    return names(sas, "srq").stream()
        .map(name -> "\n" + name + ":" + orEmpty(request.query().first(name)))
        .collect(Collectors.joining());
  }

  private static List<String> names(SasParameters sas, String parameter) {
    return sas.has(parameter) ? List.of(sas.text(parameter).split(",", -1)) : List.of();
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static boolean isForTime(SasParameters sas, String parameter, String firstVersion) {
    return sas.has(parameter) && sas.isVersionFrom(firstVersion);
  }

  private static @Nullable String first(@Nullable CutPath path) {
    return path == null || path.first().isEmpty() ? null : path.first();
  }

  private static @Nullable String blob(@Nullable CutPath path) {
    return path == null || path.rest() == null ? null : path.first() + "/" + path.rest();
  }

  /**
   * Returns the directory that a signature must be for: as many segments of the blob's name, or of
   * the prefix of a listing, as {@code sdd} says (blob-features 9.2). Returns null if there are not
   * so many.
   */
  private static @Nullable String directory(
      SasParameters sas, @Nullable CutPath path, Request request) {
    String depth = sas.text("sdd");
    boolean known = sas.isVersionFrom(DIRECTORIES) && depth.matches("[0-9]{1,4}");
    if (!known || path == null || path.first().isEmpty()) {
      return null;
    }
    String prefix = request.query().firstIgnoringCase("prefix");
    String listed = prefix == null ? "" : prefix;
    String name = path.rest() == null ? listed : path.rest();
    int end = end(name, Integer.parseInt(depth));
    return end < 0 ? null : path.first() + "/" + name.substring(0, end);
  }

  /**
   * Returns the end of the first segments of a name, not counting slashes at its beginning; -1 if
   * the name has fewer segments.
   */
  private static int end(String name, int segments) {
    if (segments == 0) {
      return 0;
    }
    int start = 0;
    while (start < name.length() && name.charAt(start) == '/') {
      start++;
    }
    int end = start - 1;
    for (int i = 0; i < segments; i++) {
      if (end + 1 >= name.length()) {
        return -1;
      }
      int slash = name.indexOf('/', end + 1);
      end = slash < 0 ? name.length() : slash;
    }
    return end;
  }

  /**
   * Returns the resource as the signature spells it. The client may have written a slash after a
   * directory (blob-features 9.2).
   */
  String spelt(SasParameters sas, Account account, String resource) {
    String other = resource + "/";
    String text = isForDirectory(sas) ? serviceText(sas, account.name(), other) : null;
    boolean fits =
        text != null && Signature.key(text, StandardCharsets.UTF_8, account, sas.signature()) > 0;
    return fits ? other : resource;
  }

  boolean isAmong(String services) {
    return services.indexOf(service.charAt(0)) >= 0;
  }

  /** Returns the string-to-sign of a service SAS; null if its version has none. */
  @Nullable String serviceText(SasParameters sas, String account, String name) {
    List<SignedField> fields = serviceFields(sas, account, name);
    return fields == null ? null : join(fields);
  }

  /** Returns the fields of the string-to-sign of a service SAS; null if its version has none. */
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
    ownFields.of(sas).forEach(field -> add(fields, sas, field));
    return fields;
  }

  /** Returns the string-to-sign of an account SAS (auth 5); null if its version has none. */
  static @Nullable String accountText(SasParameters sas, String account) {
    List<SignedField> fields = accountFields(sas, account);
    return fields == null ? null : join(fields) + "\n";
  }

  /**
   * Returns the fields of the string-to-sign of an account SAS; null if its version has none. Each
   * field ends with a line feed.
   */
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
