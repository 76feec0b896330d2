package io.lazuli.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccessPolicyCodecTest {
  @Test
  void policiesComeBack() {
    List<StoredAccessPolicy> policies =
        List.of(
            new StoredAccessPolicy("", null, null, null),
            new StoredAccessPolicy("é日😀".repeat(16), Instant.MIN, Instant.MAX, "raud"),
            new StoredAccessPolicy("x", null, Instant.parse("2034-01-01T00:00:00.0000001Z"), null));
    assertThat(AccessPolicyCodec.decode(AccessPolicyCodec.encode(policies))).isEqualTo(policies);
    assertThat(AccessPolicyCodec.encode(List.of())).isEmpty();
    assertThat(AccessPolicyCodec.decode(new byte[0])).isEmpty();
  }

  /** The example in docs/formats.md. */
  @Test
  void theBytesAreThoseOfTheDocument() {
    StoredAccessPolicy reader =
        new StoredAccessPolicy("a", null, Instant.parse("2034-01-01T00:00:00Z"), "r");
    assertThat(HexFormat.of().formatHex(AccessPolicyCodec.encode(List.of(reader))))
        .isEqualTo(
            "01" + "000161" + "00" + "01" + "000000007861f800" + "00000000" + "01" + "000172");
  }
}
