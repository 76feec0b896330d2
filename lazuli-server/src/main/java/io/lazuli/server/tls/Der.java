package io.lazuli.server.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes the few ASN.1 elements of a certificate (X.690, DER). An element is an array of bytes.
 * Names and public keys come from the JDK, already encoded.
 */
final class Der {
  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_ID = 0x06;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** From this year on, times are written with a four-digit year (RFC 5280, 4.1.2.5). */
  private static final int LONG_YEARS = 2050;

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return element(SEQUENCE, parts);
  }

  static byte[] integer(BigInteger value) {
    return element(INTEGER, value.toByteArray());
  }

  static byte[] isTrue() {
    return element(BOOLEAN, new byte[] {(byte) 0xff});
  }

  static byte[] octets(byte[] value) {
    return element(OCTET_STRING, value);
  }

  /**
   * @param unused the number of unused bits at the end of the last byte
   */
  static byte[] bits(byte[] value, int unused) {
    return element(BIT_STRING, new byte[] {(byte) unused}, value);
  }

  /** Returns an object identifier, given in dotted form. */
  static byte[] objectId(String dotted) {
    String[] arcs = dotted.split("\\.", -1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(40 * Integer.parseInt(arcs[0]) + Integer.parseInt(arcs[1]));
    for (int i = 2; i < arcs.length; i++) {
      base128(Integer.parseInt(arcs[i]), out);
    }
    return element(OBJECT_ID, out.toByteArray());
  }

  private static void base128(int arc, ByteArrayOutputStream out) {
    for (int shift = 28; shift > 0; shift -= 7) {
      if (arc >>> shift != 0) {
        out.write(0x80 | (arc >>> shift & 0x7f));
      }
    }
    out.write(arc & 0x7f);
  }

  static byte[] time(Instant when) {
    String text = TIME.format(when);
    boolean four = when.atZone(ZoneOffset.UTC).getYear() >= LONG_YEARS;
    byte[] digits = (four ? text : text.substring(2)).getBytes(StandardCharsets.US_ASCII);
    return element(four ? GENERALIZED_TIME : UTC_TIME, digits);
  }

  /** Returns an element with a context-specific tag. */
  static byte[] tagged(int number, boolean constructed, byte[]... parts) {
    return element((constructed ? 0xa0 : 0x80) | number, parts);
  }

  /** Returns the first element inside a sequence, including its tag and length. */
  static byte[] firstOf(byte[] sequence) {
    int start = contentStart(sequence, 0);
    int end = contentStart(sequence, start) + contentLength(sequence, start);
    byte[] first = new byte[end - start];
    System.arraycopy(sequence, start, first, 0, first.length);
    return first;
  }

  private static int contentStart(byte[] bytes, int at) {
    int length = bytes[at + 1] & 0xff;
    return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
  }

  private static int contentLength(byte[] bytes, int at) {
    int start = contentStart(bytes, at);
    if (start == at + 2) {
      return bytes[at + 1];
    }
    return new BigInteger(1, bytes, at + 2, start - at - 2).intValueExact();
  }

  private static byte[] element(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.size();
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] digits = BigInteger.valueOf(length).toByteArray();
      int skip = digits[0] == 0 ? 1 : 0;
      out.write(0x80 | (digits.length - skip));
      out.write(digits, skip, digits.length - skip);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }
}
