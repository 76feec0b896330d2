package io.lazuli.server.auth;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Query;
import io.lazuli.server.protocol.ApiVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a shared access signature, decoded. One that is given twice is refused: two
 * readers might take different ones. An empty one counts as absent, as it does in what is signed.
 */
final class SasParameters {
  /** No parameter of signatures, but signed by those that are for a snapshot. */
  private static final String SNAPSHOT = "snapshot";

  private static final Set<String> NAMES =
      Set.of(
          "sv", "ss", "srt", "sp", "st", "se", "si", "sip", "spr", "sig", "tn", "spk", "srk", "epk",
          "erk", "sr", "ses", "rscc", "rscd", "rsce", "rscl", "rsct", "skoid", "sktid", "skt",
          "ske", "sks", "skv", "saoid", "suoid", "scid", "sdd", SNAPSHOT);

  private final Map<String, String> values;

  private SasParameters(Map<String, String> values) {
    this.values = values;
  }

  static SasParameters of(Query query) {
    Map<String, String> values = new HashMap<>();
    for (Query.Parameter parameter : query.parameters()) {
      String name = parameter.name().equalsIgnoreCase(SNAPSHOT) ? SNAPSHOT : parameter.name();
      if (NAMES.contains(name) && values.put(name, parameter.value()) != null) {
        throw CommonErrors.AUTHENTICATION_FAILED.exception();
      }
    }
    if (!"bs".equals(values.get("sr"))) {
      values.remove(SNAPSHOT);
    }
    return new SasParameters(values);
  }

  /** The same with another value. */
  SasParameters with(String name, String value) {
    Map<String, String> changed = new HashMap<>(values);
    changed.put(name, value);
    return new SasParameters(changed);
  }

  boolean has(String name) {
    return !text(name).isEmpty();
  }

  /** The value; empty if it is absent. */
  String text(String name) {
    return values.getOrDefault(name, "");
  }

  /** The value; null if it is absent. */
  @Nullable String orNull(String name) {
    return has(name) ? text(name) : null;
  }

  /** The signature. A plus sign that was sent raw came as a space, which Base64 does not have. */
  String signature() {
    return text("sig").replace(' ', '+');
  }

  boolean isVersionFrom(String first) {
    String version = text("sv");
    return ApiVersion.isWellFormed(version) && version.compareTo(first) >= 0;
  }
}
