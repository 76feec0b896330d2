package io.lazuli.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes are those of docs/formats.md; rows that older servers wrote are read. */
class CatalogEntryCodecTest {
  private static final Partition HOME = ServiceHome.ofTables("acct").partition();
  private static final long SPACE = 1L << 60;
  private static final byte[] FIRST = hex("01 1000000000000000 0003 416263");
  private static final byte[] SECOND = hex("02 1000000000000000 0003 416263 0102ff");
  private static final byte[] POLICIES = hex("0102ff");

  @Test
  void aNameWithoutPoliciesIsOfTheFirstVersion() {
    assertThat(CatalogEntryCodec.encode(SPACE, "Abc")).isEqualTo(FIRST);
    assertThat(CatalogEntryCodec.decode(HOME, FIRST))
        .isEqualTo(new CatalogEntry("Abc", new Space(SPACE, HOME)));
    assertThat(CatalogEntryCodec.policies(FIRST)).isEmpty();
  }

  @Test
  void policiesFollowTheNameInTheSecondVersion() {
    assertThat(CatalogEntryCodec.withPolicies(FIRST, POLICIES)).isEqualTo(SECOND);
    assertThat(CatalogEntryCodec.policies(SECOND)).isEqualTo(POLICIES);
    assertThat(CatalogEntryCodec.decode(HOME, SECOND))
        .isEqualTo(CatalogEntryCodec.decode(HOME, FIRST));
    assertThat(CatalogEntryCodec.withPolicies(SECOND, new byte[0])).isEqualTo(FIRST);
    assertThat(CatalogEntryCodec.policies(CatalogEntryCodec.withPolicies(SECOND, hex("07"))))
        .isEqualTo(hex("07"));
  }

  @Test
  void anUnknownVersionIsRefused() {
    byte[] future = SECOND.clone();
    future[0] = 3;
    assertThatThrownBy(() -> CatalogEntryCodec.decode(HOME, future))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> CatalogEntryCodec.policies(future))
        .isInstanceOf(IllegalStateException.class);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
