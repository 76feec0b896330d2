package io.lazuli.server.auth;

import io.lazuli.server.account.Account;
import io.lazuli.server.http.PercentEncoding;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes shared access signatures. The text to sign is the one by which the server verifies them.
 */
public final class SasMaker {
  /** The version of the signatures. */
  public static final String VERSION = "2021-12-02";

  private SasMaker() {}

  /**
   * Returns the query of a signature for an account, signed with its first key.
   *
   * @param fields the other parameters; those that are empty are left out
   */
  public static String ofAccount(Account account, Map<String, String> fields) {
    SasParameters sas = SasParameters.of(fields).with("sv", VERSION);
    return query(fields, sign(SasForm.accountText(sas, account.name()), account));
  }

  /**
   * Returns the query of a signature for a resource.
   *
   * @param service {@code table}, {@code queue} or {@code blob}
   * @param resource the name as it is signed: a table, a queue, a container, or a container, a
   *     slash and a blob or a directory
   * @param fields the other parameters, with the time of a snapshot or version, which is signed but
   *     not part of the query
   */
  public static String ofResource(
      String service, Account account, String resource, Map<String, String> fields) {
    SigningRules rules = SigningRules.of(service);
    if (rules == null) {
      throw new IllegalArgumentException("there is no service " + service);
    }
    SasParameters sas = SasParameters.of(fields).with("sv", VERSION);
    return query(fields, sign(rules.sas().serviceText(sas, account.name(), resource), account));
  }

  private static String sign(@Nullable String text, Account account) {
    if (text == null) {
      throw new IllegalStateException("the version has a text to sign");
    }
    return Signature.of(text, account);
  }

  private static String query(Map<String, String> fields, String signature) {
    String own =
        fields.entrySet().stream()
            .filter(field -> !field.getValue().isEmpty() && !isOfRequest(field.getKey()))
            .map(field -> field.getKey() + "=" + PercentEncoding.encode(field.getValue()))
            .collect(Collectors.joining("&"));
    return "sv=" + VERSION + "&" + own + "&sig=" + PercentEncoding.encode(signature);
  }

  /** Returns whether a field is a parameter of requests, not of their signature. */
  private static boolean isOfRequest(String name) {
    return name.equals(SasParameters.SNAPSHOT) || name.equals(SasParameters.VERSION);
  }
}
