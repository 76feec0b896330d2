package io.lazuli.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes are those of docs/formats.md, and rows of older servers can be read. */
class CatalogEntryCodecTest {
  private static final byte[] NONE = new byte[0];
  private static final byte[] FIRST = hex("01 1000000000000000 0003 416263");
  private static final byte[] SECOND = hex("02 1000000000000000 0003 416263 0102ff");
  private static final byte[] THIRD = hex("03 1000000000000000 0003 416263 00000003 0102ff 0a0b");
  private static final byte[] METADATA_ONLY = hex("03 1000000000000000 0003 416263 00000000 0a0b");
  private static final byte[] FOURTH =
      hex("04 1000000000000000 0003 416263 0000000000000005 00000003 0102ff 0a0b");

  private static final CatalogRow NAME = new CatalogRow("Abc", 1L << 60, 0, NONE);

  @Test
  void aNameAloneIsOfTheFirstVersion() {
    isWrittenAs(NAME, FIRST);
  }

  @Test
  void policiesFollowTheNameInTheSecondVersion() {
    isWrittenAs(NAME.withPolicies(hex("0102ff"), 0), SECOND);
  }

  @Test
  void metadataFollowsThePoliciesInTheThirdVersion() {
    isWrittenAs(NAME.withPolicies(hex("0102ff"), 0).withMetadata(hex("0a0b")), THIRD);
    isWrittenAs(NAME.withMetadata(hex("0a0b")), METADATA_ONLY);
  }

  @Test
  void aStampIsInTheFourthVersion() {
    CatalogRow row = NAME.withPolicies(hex("0102ff"), 5L).withMetadata(hex("0a0b"));
    isWrittenAs(row, FOURTH);
  }

  @Test
  void anUnknownVersionIsRefused() {
    byte[] future = SECOND.clone();
    future[0] = 5;
    assertThatThrownBy(() -> CatalogEntryCodec.decode(future))
        .isInstanceOf(IllegalStateException.class);
  }

  private static void isWrittenAs(CatalogRow row, byte[] bytes) {
    assertThat(CatalogEntryCodec.encode(row)).isEqualTo(bytes);
    assertThat(CatalogEntryCodec.decode(bytes)).usingRecursiveComparison().isEqualTo(row);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
