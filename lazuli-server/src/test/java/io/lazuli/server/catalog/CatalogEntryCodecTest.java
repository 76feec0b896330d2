package io.lazuli.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import java.nio.charset.StandardCharsets;
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
  void theGateOfARestoredNameIsInTheFifthVersion() {
    long container = Space.number(SpaceKind.CONTAINER, 8);
    CatalogRow made = new CatalogRow("abc", container, 0, hex("0a0b"));
    assertThat(made.gate()).isEqualTo(Space.number(SpaceKind.GATE, 8));
    isWrittenAs(made, hex("03 3100000000000000 0003 616263 00000000 0a0b"));
    isWrittenAs(
        made.restored("xyz", Space.number(SpaceKind.GATE, 9), 5, hex("0c")),
        hex("05 3100000000000000 0003 78797a 0000000000000005 5900000000000000 00000000 0c"));
  }

  @Test
  void aDeletedNameHasTwoRows() {
    CatalogRow row = new CatalogRow("abc", Space.number(SpaceKind.CONTAINER, 8), 0, hex("0a0b"));
    DeletedName deleted = new DeletedName(row, 0x01D6288FCAD32C81L, 0x01D6288FCAD32C82L);
    assertThat(deleted.version()).isEqualTo("01D6288FCAD32C81");
    assertThat(deleted.key()).isEqualTo("abc!01D6288FCAD32C81");
    byte[] value = CatalogEntryCodec.encode(deleted);
    assertThat(value)
        .isEqualTo(hex("01 01d6288fcad32c82 03 3100000000000000 0003 616263 00000000 0a0b"));
    Bytes key = CatalogEntryCodec.deletedRow(deleted.key());
    assertThat(new String(key.array(), StandardCharsets.UTF_8)).isEqualTo("dabc!01D6288FCAD32C81");
    assertThat(CatalogEntryCodec.decodeDeleted(CatalogEntryCodec.deletedKey(key.array()), value))
        .usingRecursiveComparison()
        .isEqualTo(deleted);
    Bytes due = CatalogEntryCodec.dueRow(deleted.endTicks(), deleted.key());
    assertThat(due.array()).startsWith(hex("65 01d6288fcad32c82 616263 21"));
    assertThat(CatalogEntryCodec.dueKey(due.array())).isEqualTo(deleted.key());
  }

  @Test
  void anUnknownVersionIsRefused() {
    byte[] future = SECOND.clone();
    future[0] = 6;
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
