package io.lazuli.conformance.blob.stress;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.blob.KnownBytes;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.WireAnswer;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * Writes versions of its own blob, one after the other, until the server is gone. The blob must
 * then have the last acknowledged version or the next one, completely.
 */
final class KilledWriter {

  private static final int SMALL_BYTES = 700;
  private static final int LARGE_BYTES = 300_001;

  /** How a version is written. */
  enum Way {
    PUT,
    BLOCKS,
    APPEND,
    COPY
  }

  private final Way way;
  private final String blob;
  private volatile int acknowledged;

  KilledWriter(Way way, int number) {
    this.way = way;
    this.blob = way + "-" + number;
  }

  int acknowledged() {
    return acknowledged;
  }

  void write(ScratchContainer container) {
    try {
      while (true) {
        int next = acknowledged + 1;
        writeVersion(container, next);
        acknowledged = next;
      }
    } catch (UncheckedIOException e) {
      return;
    }
  }

  private void writeVersion(ScratchContainer container, int version) {
    byte[] content = content(version);
    switch (way) {
      case PUT -> expect(container.put(blob, content).send()).status(201);
      case BLOCKS -> writeBlocks(container, content);
      case APPEND -> append(container, version, content);
      case COPY -> {
        expect(container.put("source of " + blob, content).send()).status(201);
        expect(container.copy(blob, container.url("source of " + blob)).send()).status(202);
      }
    }
  }

  private void writeBlocks(ScratchContainer container, byte[] content) {
    int third = content.length / 3;
    int[] ends = {third, 2 * third, content.length};
    int from = 0;
    for (int i = 0; i < ends.length; i++) {
      byte[] part = Arrays.copyOfRange(content, from, ends[i]);
      expect(container.block(blob, String.valueOf(i), "").body(part).send()).status(201);
      from = ends[i];
    }
    expect(container.commit(blob, "Latest:0", "Latest:1", "Latest:2").send()).status(201);
  }

  private void append(ScratchContainer container, int version, byte[] content) {
    if (version == 1) {
      container.putLog(blob).header("If-None-Match", "*").send();
    }
    expect(container.append(blob, "").body(content).send()).status(201);
  }

  /**
   * Returns the content of a version. The sizes differ, because the server stores small and large
   * contents in different places.
   */
  private byte[] content(int version) {
    int length = version % 2 == 0 ? SMALL_BYTES : LARGE_BYTES;
    if (way == Way.APPEND) {
      length = version % 10 == 0 ? LARGE_BYTES : SMALL_BYTES;
    }
    return new KnownBytes(version).bytes(length);
  }

  /** Expects the last acknowledged version or the next one, and continues from there. */
  void verify(ScratchContainer container) {
    WireAnswer answer = container.get(blob).send();
    if (answer.status() == 404) {
      assertThat(acknowledged).as(blob).isZero();
      return;
    }
    expect(answer).status(200);
    for (int version : new int[] {acknowledged, acknowledged + 1}) {
      if (Arrays.equals(answer.body(), expected(version))) {
        acknowledged = version;
        return;
      }
    }
    throw new AssertionError(
        "%s has neither version %d nor the next one; it has %d bytes"
            .formatted(blob, acknowledged, answer.body().length));
  }

  private byte[] expected(int version) {
    if (way != Way.APPEND) {
      return version == 0 ? new byte[0] : content(version);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int each = 1; each <= version; each++) {
      all.writeBytes(content(each));
    }
    return all.toByteArray();
  }
}
