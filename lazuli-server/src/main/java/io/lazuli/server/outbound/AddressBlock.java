package io.lazuli.server.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An address, or a network such as {@code 10.0.0.0/8}.
 *
 * @param prefixBits the number of leading bits that all addresses of the block have in common
 */
public record AddressBlock(InetAddress address, int prefixBits) {
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  /** Parses an address or network; returns null if the text is neither. */
  public static @Nullable AddressBlock parse(String text) {
    int slash = text.indexOf('/');
    InetAddress address = address(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      return null;
    }
    int bits = address.getAddress().length * Byte.SIZE;
    int prefix = slash < 0 ? bits : number(text.substring(slash + 1));
    return prefix < 0 || prefix > bits ? null : new AddressBlock(address, prefix);
  }

  /** Parses a comma-separated list; returns null if an element is invalid. */
  public static @Nullable List<AddressBlock> parseList(String text) {
    List<AddressBlock> blocks = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      AddressBlock block = parse(part.strip());
      if (block == null) {
        return null;
      }
      blocks.add(block);
    }
    return blocks;
  }

  public static String list(List<AddressBlock> blocks) {
    return blocks.stream().map(AddressBlock::text).collect(Collectors.joining(","));
  }

  private String text() {
    return address.getHostAddress() + "/" + prefixBits;
  }

  /** Returns whether an address belongs to the block. */
  public boolean contains(InetAddress other) {
    byte[] own = address.getAddress();
    byte[] their = other.getAddress();
    if (own.length != their.length) {
      return false;
    }
    int whole = prefixBits / Byte.SIZE;
    for (int i = 0; i < whole; i++) {
      if (own[i] != their[i]) {
        return false;
      }
    }
    int rest = prefixBits % Byte.SIZE;
    return rest == 0 || (own[whole] ^ their[whole]) >> (Byte.SIZE - rest) == 0;
  }

  /** Parses a literal address. Names are not looked up. */
  private static @Nullable InetAddress address(String text) {
    if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
      return null;
    }
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
  }
}
