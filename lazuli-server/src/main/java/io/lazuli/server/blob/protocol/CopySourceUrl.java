package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.event.MaskedText;
import java.util.Locale;
import java.util.Set;

/**
 * The URL of {@code x-ms-copy-source}, split but not decoded. If it is an address of this server,
 * the server finds the source and checks the permission to read it as if the URL were a request: it
 * never calls itself (blob-features 5.5).
 */
record CopySourceUrl(String authority, String rawPath, String rawQuery) {
  static final String HEADER = "x-ms-copy-source";

  private static final String SERVICE = ".blob.";
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

  /** Parses the header; throws 400 if it is not an absolute URL. */
  static CopySourceUrl require(String url) {
    int scheme = url.startsWith("https://") ? 8 : url.startsWith("http://") ? 7 : -1;
    if (scheme < 0 || url.length() > BlobLimits.COPY_SOURCE_LENGTH_MAX) {
      throw BlobRequestHeaders.invalid(HEADER, url);
    }
    int query = url.indexOf('?', scheme);
    int path = url.indexOf('/', scheme);
    int end = query < 0 ? url.length() : query;
    if (path < 0 || path > end) {
      throw BlobRequestHeaders.invalid(HEADER, url);
    }
    return new CopySourceUrl(
        url.substring(scheme, path),
        url.substring(path, end),
        query < 0 ? "" : url.substring(query + 1));
  }

  /**
   * Returns a URL as it was sent, but without the value of {@code sig}: readers of a copy see where
   * it comes from, not the signature (blob-features 10.2 A18).
   */
  static String withoutSignature(String url) {
    int query = url.indexOf('?');
    if (query < 0) {
      return url;
    }
    return url.substring(0, query) + MaskedText.withoutSignatures(url.substring(query));
  }

  /**
   * Returns true if the URL is an address of this server, in host style or path style: the host and
   * port that the client used, or a name of loopback with a port of this server. All names of
   * loopback count as one host.
   *
   * @param own the host and port that the client used for this server
   * @param ports the ports on which this server listens
   */
  boolean isOurs(String own, Set<Integer> ports) {
    String there = withoutAccount(authority.toLowerCase(Locale.ROOT));
    String here = withoutAccount(own.toLowerCase(Locale.ROOT));
    boolean loopback =
        LOOPBACK.contains(host(there))
            && LOOPBACK.contains(host(here))
            && port(there).equals(port(here));
    boolean listens =
        LOOPBACK.contains(host(there))
            && ports.stream().anyMatch(port -> port(there).equals(":" + port));
    return there.equals(here) || loopback || listens;
  }

  /**
   * Removes account and service from an authority in host style; returns one in path style
   * unchanged.
   */
  private static String withoutAccount(String authority) {
    int dot = authority.indexOf('.');
    return dot > 0 && authority.startsWith(SERVICE, dot)
        ? authority.substring(dot + SERVICE.length())
        : authority;
  }

  private static String host(String authority) {
    return authority.substring(0, authority.length() - port(authority).length());
  }

  private static String port(String authority) {
    int colon = authority.lastIndexOf(':');
    return colon < 0 || authority.endsWith("]") ? "" : authority.substring(colon);
  }
}
