package io.lazuli.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * The issuer {@code mock-oauth2-server} on loopback, over https. It has a class loader of its own,
 * because its libraries are other versions of those of the SDKs.
 *
 * @param url its address without a path
 */
record MockIssuer(URI url, Object server) implements AutoCloseable {
  private static final Path JARS = Path.of("..", "integration", "issuer", "target", "issuer");
  private static final String PACKAGE = "no.nav.security.mock.oauth2.";

  /**
   * Starts the issuer.
   *
   * @param callbacks the claims of its tokens, as its documentation has them
   */
  static MockIssuer start(DevCert certificate, Path folder, String callbacks) {
    try {
      Path store = keyStore(certificate, folder.resolve("issuer.p12"));
      String json =
          """
          {"tokenCallbacks": %s,
           "httpServer": {"type": "NettyWrapper", "ssl": {"keyPassword": "secret",
             "keystoreFile": "%s", "keystoreType": "PKCS12", "keystorePassword": "secret"}}}
          """
              .formatted(callbacks, store);
      URLClassLoader loader = loader(folder);
      Class<?> type = loader.loadClass(PACKAGE + "OAuth2Config");
      Object companion = type.getField("Companion").get(null);
      Object config =
          companion.getClass().getMethod("fromJson", String.class).invoke(companion, json);
      Class<?> route = loader.loadClass(PACKAGE + "http.Route");
      Object none = Array.newInstance(route, 0);
      Object server =
          loader
              .loadClass(PACKAGE + "MockOAuth2Server")
              .getConstructor(type, none.getClass())
              .newInstance(config, none);
      server
          .getClass()
          .getMethod("start", InetAddress.class, int.class)
          .invoke(server, InetAddress.getLoopbackAddress(), 0);
      Object url = server.getClass().getMethod("baseUrl").invoke(server);
      return new MockIssuer(
          URI.create("https://localhost:" + URI.create(url.toString()).getPort()), server);
    } catch (ReflectiveOperationException | GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the issuer in " + JARS + " did not start", e);
    }
  }

  private static URLClassLoader loader(Path folder) throws IOException {
    // Its logging would fill the output of the build.
    Files.writeString(folder.resolve("logback.xml"), "<configuration/>");
    List<URL> urls = new ArrayList<>(List.of(folder.toUri().toURL()));
    try (Stream<Path> jars = Files.list(JARS)) {
      for (Path jar : jars.sorted().toList()) {
        urls.add(jar.toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static Path keyStore(DevCert certificate, Path file)
      throws IOException, GeneralSecurityException {
    String pem = Files.readString(certificate.key(), StandardCharsets.US_ASCII);
    byte[] encoded = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    try (InputStream in = Files.newInputStream(certificate.certificate())) {
      Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(in);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("own", key, "secret".toCharArray(), new Certificate[] {own});
      try (var out = Files.newOutputStream(file)) {
        store.store(out, "secret".toCharArray());
      }
    }
    return file;
  }

  /** Stops the issuer. Its class loader stays open: threads of Netty end later and load classes. */
  @Override
  public void close() {
    try {
      server.getClass().getMethod("shutdown").invoke(server);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
