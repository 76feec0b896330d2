package io.lazuli.server.auth;

import io.lazuli.server.http.Address;
import io.lazuli.server.protocol.CutPath;
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
  private static final String ENCRYPTION_SCOPE = "2020-12-06";

  /** Finds the resource that a signature is for. */
  @FunctionalInterface
  interface ResourceFinder {
    /** Returns the name of the resource; null if the signature is not for this service. */
    @Nullable String find(SasParameters sas, Address address);
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
        (sas, address) -> sas.has("tn") ? sas.text("tn").toLowerCase(Locale.ROOT) : null,
        sas -> List.of("spk", "srk", "epk", "erk"));
  }

  /** Returns the form for the queue service. The resource is the queue in the path. */
  static SasForm ofQueues() {
    return new SasForm(
        "queue",
        (sas, address) -> sas.has("tn") || sas.has("sr") ? null : firstSegment(address.path()),
        sas -> List.of());
  }

  /**
   * Returns the form for the blob service. The parameter {@code sr} says whether the resource is
   * the container in the path, the blob, or one of its snapshots. The time of a snapshot is signed,
   * so the signature is valid for no other snapshot.
   */
  static SasForm ofBlobs() {
    return new SasForm(
        "blob",
        (sas, address) ->
            switch (sas.text("sr")) {
              case "c" -> firstSegment(address.path());
              case "b" -> blob(address.path());
              case "bs" -> isForSnapshot(sas) ? blob(address.path()) : null;
              default -> null;
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

  private static List<String> blobFields(SasParameters sas) {
    List<String> fields = new ArrayList<>();
    if (sas.isVersionFrom(KIND_OF_RESOURCE)) {
      fields.add("sr");
      fields.add("snapshot");
    }
    if (sas.isVersionFrom(ENCRYPTION_SCOPE)) {
      fields.add("ses");
    }
    if (sas.isVersionFrom(OVERRIDDEN_HEADERS)) {
      fields.addAll(List.of("rscc", "rscd", "rsce", "rscl", "rsct"));
    }
    return fields;
  }

  private static boolean isForSnapshot(SasParameters sas) {
    return sas.has("snapshot") && sas.isVersionFrom(KIND_OF_RESOURCE);
  }

  private static @Nullable String firstSegment(String path) {
    CutPath cut = CutPath.of(path);
    return cut == null || cut.first().isEmpty() ? null : cut.first();
  }

  private static @Nullable String blob(String path) {
    CutPath cut = CutPath.of(path);
    return cut == null || cut.rest() == null ? null : cut.first() + "/" + cut.rest();
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
