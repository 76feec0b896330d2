package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.bytes;
import static io.lazuli.server.blob.service.BlobsUnderTest.latest;
import static io.lazuli.server.blob.service.BlobsUnderTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.transaction.BytesBody;
import io.lazuli.server.blob.transaction.CommitBody;
import io.lazuli.server.blob.transaction.SegmentsBody;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests two servers on one store: neither knows what the other one reads or is about to name. */
class SharedBlobsTest {
  /** More blocks than a reader looks up ahead. */
  private static final int BLOCKS = 2_500;

  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
  private final StorageEngine engine =
      BlobsUnderTest.engine("memory", Path.of("unused"), clock::get);
  private final SharedEngine mine = new SharedEngine(engine);
  private final BlobsUnderTest one = BlobsUnderTest.withContainer(mine);
  private final BlobsUnderTest other = new BlobsUnderTest(new SharedEngine(engine));

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  @Test
  void aCopyIsWholeThoughAnotherServerSweepsWhatItHasNotNamedYet() {
    one.put("source", text("copied"));
    one.put("target", text("old"));
    mine.before(
        body -> {
          if (body instanceof SegmentsBody) {
            other.put("target", text("meanwhile"));
            other.clean();
          }
        });
    one.copy("source", null, "target");
    assertThat(other.get("target")).isEqualTo(text("copied"));
  }

  @Test
  void aBlockListIsPutInPlaceThoughAnotherServerSweepsItsSegments() {
    one.putBlock("target", "a", text("block"));
    AtomicInteger commits = new AtomicInteger();
    mine.before(
        body -> {
          if (body instanceof CommitBody) {
            commits.incrementAndGet();
            BlobName name = new BlobName("target");
            other.service().garbage().changed(new Partition(other.space(), name.key()));
            other.clean();
          }
        });
    one.commit("target", List.of(latest("a")));
    assertThat(commits).as("times that it had to begin").hasValue(1);
    assertThat(other.get("target")).isEqualTo(text("block"));
  }

  @Test
  void aCopyThatTakesTooLongIsNotPutInPlace() {
    one.put("source", text("copied"));
    one.put("target", text("old"));
    mine.before(
        body -> {
          if (body instanceof BytesBody) {
            pass(Duration.ofMinutes(40));
          }
        });
    assertThat(BlobsUnderTest.refusal(() -> one.copy("source", null, "target")))
        .isEqualTo(CommonErrors.OPERATION_TIMED_OUT);
    assertThat(other.get("target")).isEqualTo(text("old"));
  }

  @Test
  void aReaderOnOneServerKeepsContentThatAnotherServerReplaces() {
    byte[] content = putBlocks("a");
    pass(Duration.ofDays(1));
    try (BlobReader reader = one.open("a", null, null).content()) {
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      read(reader, 10, read);
      other.put("a", text("new"));
      other.clean();
      sweepAll(other);
      pass(BlobGarbage.READER_GRACE.minusSeconds(1));
      other.put("a", text("newer"));
      other.clean();
      sweepAll(other);
      read(reader, content.length - 10, read);
      assertThat(read.toByteArray()).isEqualTo(content);
    }
  }

  @Test
  void contentWithoutReadersIsRemoved() {
    putBlocks("a");
    pass(Duration.ofDays(1));
    other.put("a", text("new"));
    other.clean();
    pass(BlobGarbage.READER_GRACE.plusSeconds(1));
    other.clean();
    assertThat(one.rowKinds("a")).isEqualTo("dlp");
    assertThat(one.get("a")).isEqualTo(text("new"));
  }

  @Test
  void aVersionThatIsReplacedLaterHasARestOfItsOwn() {
    putBlocks("a");
    pass(Duration.ofDays(1));
    other.put("a", text("new"));
    other.clean();
    pass(BlobGarbage.READER_GRACE.minusSeconds(1));
    pass(BlobGarbage.UNPUBLISHED);
    try (BlobReader reader = one.open("a", null, null).content()) {
      other.put("a", text("newer"));
      other.clean();
      assertThat(one.rowKinds("a")).as("the blocks are gone").isEqualTo("ddllp");
      assertThat(BlobsUnderTest.drain(reader)).isEqualTo(text("new"));
    }
  }

  @Test
  void contentOfAFailedCopyIsRemovedOnceItIsOld() {
    one.put("source", text("copied"));
    one.put("target", text("old"));
    mine.before(
        body -> {
          if (body instanceof SegmentsBody) {
            throw CommonErrors.SERVER_BUSY.exception();
          }
        });
    assertThat(BlobsUnderTest.refusal(() -> one.copy("source", null, "target"))).isNotNull();
    one.clean();
    assertThat(one.rowKinds("target")).isEqualTo("ddlp");
    pass(BlobGarbage.UNPUBLISHED.plusSeconds(1));
    one.clean();
    assertThat(one.rowKinds("target")).isEqualTo("dlp");
  }

  private byte[] putBlocks(String blob) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<BlockListEntry> list = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      String id = String.format("%05d", i);
      one.putBlock(blob, id, bytes(3, i));
      all.writeBytes(bytes(3, i));
      list.add(latest(id));
    }
    one.commit(blob, list);
    one.clean();
    return all.toByteArray();
  }

  private static void read(BlobReader reader, int length, ByteArrayOutputStream to) {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining()) {
      BlobsUnderTest.join(reader.read(buffer));
    }
    to.writeBytes(buffer.array());
  }

  private static void sweepAll(BlobsUnderTest blobs) {
    try (BlobCollector collector = blobs.collector()) {
      BlobsUnderTest.round(collector);
    }
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toSeconds() * Ticks.PER_SECOND);
  }
}
