package io.lazuli.server.queue.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.queue.model.PopReceipt;
import io.lazuli.server.queue.model.QueueMessage;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The bytes are those of docs/formats.md. */
class QueueCodecTest {
  private static final UUID ID = UUID.fromString("00010203-0405-0607-0809-0a0b0c0d0e0f");
  private static final QueueMessage MESSAGE =
      new QueueMessage(ID, 1, 2, 3, 4, 5, "hi".getBytes(StandardCharsets.UTF_8));
  private static final byte[] RECORD =
      hex("01 0000000000000001 0000000000000002 0000000000000003 00000004 00000005 6869");

  @Test
  void aMessageIsItsTimesNumbersAndText() {
    assertThat(MessageCodec.encode(MESSAGE)).isEqualTo(RECORD);
    assertThat(MessageCodec.decode(ID, RECORD)).usingRecursiveComparison().isEqualTo(MESSAGE);
  }

  @Test
  void aCountIsASignedNumber() {
    assertThat(CountCodec.encode(-2)).isEqualTo(hex("01 fffffffffffffffe"));
    assertThat(CountCodec.decode(hex("01 fffffffffffffffe"))).isEqualTo(-2);
  }

  @Test
  void anUnknownVersionIsRefused() {
    byte[] future = RECORD.clone();
    future[0] = 2;
    assertThatThrownBy(() -> MessageCodec.decode(ID, future))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> CountCodec.decode(hex("02 0000000000000000")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void rowsBeginWithTheirKindAndStandInTheOrderOfTime() {
    String id = "000102030405060708090a0b0c0d0e0f";
    assertThat(QueueRows.message(ID)).hasToString("6d" + id);
    assertThat(QueueRows.visible(MESSAGE))
        .hasToString("76" + "0000000000000003" + "0000000000000001" + id + "00000004")
        .isLessThan(QueueRows.visibleEnd(3))
        .isGreaterThan(QueueRows.visibleEnd(2));
    assertThat(QueueRows.expiring(MESSAGE))
        .hasToString("78" + "0000000000000002" + "0000000000000001" + id)
        .isLessThan(QueueRows.expiringEnd(2))
        .isGreaterThan(QueueRows.expiringEnd(1));
    assertThat(QueueRows.counter(ID)).hasToString("6e0f").isLessThan(QueueRows.COUNTS_END);
    assertThat(QueueRows.id(QueueRows.value(ID))).isEqualTo(ID);
  }

  @Test
  void everyStateOfAMessageHasAReceiptOfItsOwn() {
    PopReceipt first = MESSAGE.receipt();
    assertThat(PopReceipt.parse(first.text())).isEqualTo(first);
    assertThat(MESSAGE.handedOut(9).receipt()).isNotEqualTo(first);
    assertThat(MESSAGE.updated(9, new byte[0]).receipt()).isNotEqualTo(first);
    assertThat(PopReceipt.parse("invalid!")).isNull();
    assertThat(PopReceipt.parse("AAAA=Random")).isNull();
    assertThat(PopReceipt.parse("AAAA")).isNotNull().isNotEqualTo(first);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
