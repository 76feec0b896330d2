package io.lazuli.conformance.wire;

import static io.lazuli.conformance.wire.AnswerAssert.expect;

/**
 * The properties of one service of the account under test. There is one set of them for all cases:
 * a class that changes them holds {@link #LOCK}, remembers them first and restores them.
 */
public final class AccountProperties {

  /** The name of the lock of JUnit for every class that changes the properties. */
  public static final String LOCK = "service properties";

  public static final String RESOURCE = "/?restype=service&comp=properties";

  private final WireClient wire;
  private final String remembered;

  private AccountProperties(WireClient wire) {
    this.wire = wire;
    this.remembered = read();
  }

  public static AccountProperties remember(WireClient wire) {
    return new AccountProperties(wire);
  }

  public void restore() {
    expect(put(remembered)).status(202);
  }

  /** The document as the service shows it, without its declaration. */
  public String read() {
    WireAnswer answer = wire.get(RESOURCE).send();
    expect(answer).status(200);
    return answer.xml();
  }

  /** Sets what the given root elements say. */
  public WireAnswer set(String elements) {
    return put("<StorageServiceProperties>" + elements + "</StorageServiceProperties>");
  }

  private WireAnswer put(String root) {
    return wire.request("PUT", RESOURCE)
        .header("Content-Type", "application/xml")
        .body("<?xml version=\"1.0\" encoding=\"utf-8\"?>" + root)
        .send();
  }

  /** One CORS rule. */
  public static String rule(
      String methods, String origins, String allowedHeaders, String exposedHeaders, int seconds) {
    return "<CorsRule><AllowedMethods>%s</AllowedMethods><AllowedOrigins>%s</AllowedOrigins>"
            .formatted(methods, origins)
        + "<AllowedHeaders>%s</AllowedHeaders><ExposedHeaders>%s</ExposedHeaders>"
            .formatted(allowedHeaders, exposedHeaders)
        + "<MaxAgeInSeconds>%d</MaxAgeInSeconds></CorsRule>".formatted(seconds);
  }
}
