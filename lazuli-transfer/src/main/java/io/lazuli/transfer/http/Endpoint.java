package io.lazuli.transfer.http;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The address of one service of an account, and the credentials for it: a key, or a shared access
 * signature.
 *
 * @param base the URL of the account on this service, without a slash at the end
 * @param sas the parameters of a shared access signature, not encoded; empty if there is a key
 */
public record Endpoint(
    StorageKind kind, String base, String account, byte @Nullable [] key, Map<String, String> sas) {
  private static final String DEVELOPMENT_ACCOUNT = "devstoreaccount1";
  private static final String DEVELOPMENT_KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  public Endpoint {
    sas = Map.copyOf(sas);
  }

  /** Reads a connection string in one of the forms that the official SDKs accept. */
  public static Endpoint ofConnectionString(String text, StorageKind kind) {
    Map<String, String> settings = settings(text);
    if ("true".equalsIgnoreCase(settings.get("UseDevelopmentStorage"))) {
      return new Endpoint(
          kind,
          "http://127.0.0.1:" + kind.developmentPort() + "/" + DEVELOPMENT_ACCOUNT,
          DEVELOPMENT_ACCOUNT,
          Base64.getDecoder().decode(DEVELOPMENT_KEY),
          Map.of());
    }
    String account = settings.getOrDefault("AccountName", "");
    String base = settings.get(kind.setting());
    if (base == null) {
      if (account.isEmpty()) {
        throw new TransferException("the connection string has no " + kind.setting());
      }
      base =
          settings.getOrDefault("DefaultEndpointsProtocol", "https")
              + "://"
              + account
              + "."
              + kind.label()
              + "."
              + settings.getOrDefault("EndpointSuffix", "core.windows.net");
    }
    String sas = settings.get("SharedAccessSignature");
    if (sas != null) {
      return new Endpoint(kind, trimmed(base), account, null, Percent.parameters(sas));
    }
    String key = settings.get("AccountKey");
    if (key == null || account.isEmpty()) {
      throw new TransferException(
          "the connection string has neither AccountName and AccountKey nor SharedAccessSignature");
    }
    return new Endpoint(kind, trimmed(base), account, decodedKey(key), Map.of());
  }

  /** Reads the URL of a service, with a shared access signature as its query. */
  public static Endpoint ofUrl(String url, StorageKind kind) {
    int question = url.indexOf('?');
    if (question < 0 || !(url.startsWith("http://") || url.startsWith("https://"))) {
      throw new TransferException(
          "--url needs the URL of a service with a shared access signature: https://…?sv=…");
    }
    return new Endpoint(
        kind,
        trimmed(url.substring(0, question)),
        "",
        null,
        Percent.parameters(url.substring(question + 1)));
  }

  private static byte[] decodedKey(String key) {
    try {
      return Base64.getDecoder().decode(key);
    } catch (IllegalArgumentException e) {
      throw new TransferException("the AccountKey of the connection string is not base64", e);
    }
  }

  private static Map<String, String> settings(String text) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String part : text.split(";", -1)) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        settings.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip());
      }
    }
    return settings;
  }

  private static String trimmed(String base) {
    return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
  }

  /** Returns the path of the base URL: empty, or the account if the address has the path style. */
  String basePath() {
    int host = base.indexOf("://") + 3;
    int slash = base.indexOf('/', host);
    return slash < 0 ? "" : base.substring(slash);
  }

  /** Does not show credentials. */
  @Override
  public String toString() {
    return base;
  }
}
