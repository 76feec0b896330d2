package io.lazuli.server.outbound;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the list of servers that copies may read from: {@code
 * [https://|http://]HOST[:PORT][=NETWORK]}. The scheme is https unless the entry says http. {@code
 * *.HOST} stands for all names below a host. Addresses that are not public are permitted only if
 * the entry names them: as its host, as its network, or as {@code localhost}.
 *
 * @param host in lower case; {@code *.} at its beginning stands for any labels
 * @param named the addresses that the entry names
 */
public record AllowedSource(
    String text, String scheme, String host, int port, List<AddressBlock> named) {
  private static final Pattern FORM =
      Pattern.compile(
          "((https?)://)?((\\*\\.)?[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}\\])"
              + "(:([0-9]{1,5}))?(=([0-9A-Fa-f:./]+))?");

  private static final List<AddressBlock> LOOPBACK =
      Objects.requireNonNull(AddressBlock.parseList("127.0.0.0/8,::1"));

  private static final List<AddressBlock> ANY_ADDRESS =
      Objects.requireNonNull(AddressBlock.parseList("0.0.0.0/0,::/0"));

  /** The networks that are not public, beyond those that the JDK knows. */
  private static final List<AddressBlock> SPECIAL =
      Objects.requireNonNull(
          AddressBlock.parseList(
              "0.0.0.0/8,10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,172.16.0.0/12,"
                  + "192.0.0.0/24,192.0.2.0/24,192.88.99.0/24,192.168.0.0/16,198.18.0.0/15,"
                  + "198.51.100.0/24,203.0.113.0/24,224.0.0.0/4,240.0.0.0/4,"
                  + "2001::/32,2001:db8::/32,2002::/16"));

  /** All public IPv6 addresses. Addresses that contain an IPv4 address are outside. */
  private static final AddressBlock PUBLIC_V6 =
      Objects.requireNonNull(AddressBlock.parse("2000::/3"));

  public AllowedSource {
    named = List.copyOf(named);
  }

  /** Returns an entry for the server of a URL that the operator named, at any address. */
  public static AllowedSource atAnyAddress(SourceUrl url) {
    return of(url, ANY_ADDRESS);
  }

  /** Returns an entry for the server of a URL, at a loopback address. */
  public static AllowedSource onLoopback(SourceUrl url) {
    return of(url, LOOPBACK);
  }

  /** Returns an entry for the server of a URL that a stranger named, at a public address. */
  public static AllowedSource atPublicAddress(SourceUrl url) {
    return of(url, List.of());
  }

  private static AllowedSource of(SourceUrl url, List<AddressBlock> named) {
    return new AllowedSource(url.host(), url.scheme(), url.host(), url.port(), named);
  }

  /** Parses an entry; returns null if it does not have this form. */
  public static @Nullable AllowedSource parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    String scheme = parts.group(2) == null ? "https" : parts.group(2);
    String host = SourceUrl.bareHost(parts.group(3));
    int port =
        parts.group(6) == null ? SourceUrl.defaultPort(scheme) : Integer.parseInt(parts.group(6));
    String network = parts.group(8);
    List<AddressBlock> named = network == null ? names(host) : AddressBlock.parseList(network);
    return named == null || port == 0 || port > SourceUrl.PORT_MAX
        ? null
        : new AllowedSource(text, scheme, host, port, named);
  }

  /** Returns the addresses that a host names itself. */
  private static List<AddressBlock> names(String host) {
    if (host.equals("localhost") || host.endsWith(".localhost")) {
      return LOOPBACK;
    }
    AddressBlock literal = AddressBlock.parse(host);
    return literal == null ? List.of() : List.of(literal);
  }

  boolean matches(SourceUrl url) {
    boolean sameHost =
        host.startsWith("*.") ? url.host().endsWith(host.substring(1)) : url.host().equals(host);
    return sameHost && url.scheme().equals(scheme) && url.port() == port;
  }

  boolean permits(InetAddress address) {
    return named.stream().anyMatch(block -> block.contains(address)) || isPublic(address);
  }

  private static boolean isPublic(InetAddress address) {
    boolean special =
        address.isAnyLocalAddress()
            || address.isLoopbackAddress()
            || address.isLinkLocalAddress()
            || address.isSiteLocalAddress()
            || address.isMulticastAddress()
            || SPECIAL.stream().anyMatch(block -> block.contains(address));
    boolean v6 = address.getAddress().length > Integer.BYTES;
    return !special && (!v6 || PUBLIC_V6.contains(address));
  }
}
