package io.lazuli.conformance.wire;

import static io.lazuli.conformance.wire.AnswerAssert.expect;

/**
 * The properties of one service of the account under test. All cases share them. A class that
 * changes the properties holds {@link #LOCK}, remembers the old properties first and restores them
 * afterwards.
 */
public final class AccountProperties {

  /** The name of the JUnit resource lock for classes that change the properties. */
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

  /** Returns the XML document of the properties, without the XML declaration. */
  public String read() {
    WireAnswer answer = wire.get(RESOURCE).send();
    expect(answer).status(200);
    return answer.xml();
  }

  /** Sets the properties to a document with the given child elements. */
  public WireAnswer set(String elements) {
    return put("<StorageServiceProperties>" + elements + "</StorageServiceProperties>");
  }

  private WireAnswer put(String root) {
    return wire.request("PUT", RESOURCE)
        .header("Content-Type", "application/xml")
        .body("<?xml version=\"1.0\" encoding=\"utf-8\"?>" + root)
        .send();
  }

  /** Returns the XML element of one CORS rule. */
  public static String rule(
      String methods, String origins, String allowedHeaders, String exposedHeaders, int seconds) {
    return "<CorsRule><AllowedMethods>%s</AllowedMethods><AllowedOrigins>%s</AllowedOrigins>"
            .formatted(methods, origins)
        + "<AllowedHeaders>%s</AllowedHeaders><ExposedHeaders>%s</ExposedHeaders>"
            .formatted(allowedHeaders, exposedHeaders)
        + "<MaxAgeInSeconds>%d</MaxAgeInSeconds></CorsRule>".formatted(seconds);
  }
}
