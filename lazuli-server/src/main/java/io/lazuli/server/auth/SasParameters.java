package io.lazuli.server.auth;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Query;
import io.lazuli.server.protocol.ApiVersion;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a shared access signature, decoded. A parameter that is given twice is refused,
 * because two readers might use different values. An empty parameter counts as absent, as it does
 * in the string-to-sign.
 */
final class SasParameters {
  /**
   * The time of a snapshot. It is not a parameter of signatures, but a signature for a snapshot
   * covers it.
   */
  static final String SNAPSHOT = "snapshot";

  /** The id of a version, likewise. */
  static final String VERSION = "versionid";

  private static final Set<String> NAMES =
      Set.of(
          "sv", "ss", "srt", "sp", "st", "se", "si", "sip", "spr", "sig", "tn", "spk", "srk", "epk",
          "erk", "sr", "ses", "rscc", "rscd", "rsce", "rscl", "rsct", "skoid", "sktid", "skt",
          "ske", "sks", "skv", "saoid", "suoid", "scid", "sdd", "skdutid", "sduoid", "srh", "srq",
          SNAPSHOT, VERSION);

  private final Map<String, String> values;

  private SasParameters(Map<String, String> values) {
    this.values = values;
  }

  static SasParameters of(Query query) {
    Map<String, String> values = new HashMap<>();
    for (Query.Parameter parameter : query.parameters()) {
      String name = name(parameter);
      if (NAMES.contains(name) && values.put(name, parameter.value()) != null) {
        throw CommonErrors.AUTHENTICATION_FAILED.exception();
      }
    }
    if (!"bs".equals(values.get("sr"))) {
      values.remove(SNAPSHOT);
    }
    if (!"bv".equals(values.get("sr"))) {
      values.remove(VERSION);
    }
    return new SasParameters(values);
  }

  /** Returns the parameters of a signature that is to be made. */
  static SasParameters of(Map<String, String> fields) {
    return new SasParameters(new HashMap<>(fields));
  }

  /** Returns the name of a parameter. Parameters of the service may have any case. */
  private static String name(Query.Parameter parameter) {
    String name = parameter.name();
    return name.equalsIgnoreCase(SNAPSHOT) || name.equalsIgnoreCase(VERSION)
        ? name.toLowerCase(Locale.ROOT)
        : name;
  }

  /** Returns a copy with another value. */
  SasParameters with(String name, String value) {
    Map<String, String> changed = new HashMap<>(values);
    changed.put(name, value);
    return new SasParameters(changed);
  }

  boolean has(String name) {
    return !text(name).isEmpty();
  }

  /** Returns the value, or an empty text if it is absent. */
  String text(String name) {
    return values.getOrDefault(name, "");
  }

  /** Returns the value, or null if it is absent. */
  @Nullable String orNull(String name) {
    return has(name) ? text(name) : null;
  }

  /**
   * Returns the signature. An unescaped plus sign was decoded as a space, which Base64 does not
   * contain.
   */
  String signature() {
    return text("sig").replace(' ', '+');
  }

  boolean isVersionFrom(String first) {
    String version = text("sv");
    return ApiVersion.isWellFormed(version) && version.compareTo(first) >= 0;
  }
}
