package io.lazuli.transfer.format;

import io.lazuli.transfer.http.TransferException;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a file into records of fields (RFC 4180). Bytes are split before they are decoded, so that
 * the place of each record is known. Mutable.
 */
final class CsvRecords implements Closeable {
  /** An entity has at most 1 MiB; as text it may be longer. */
  private static final int RECORD_BYTES_MAX = 16 << 20;

  private static final int END = -1;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer read = ByteBuffer.allocate(64 * 1024).limit(0);
  private final ByteArrayOutputStream field = new ByteArrayOutputStream();
  private long start;
  private long position;

  CsvRecords(Path file) throws IOException {
    this.file = file;
    this.channel = FileChannel.open(file);
    skipByteOrderMark();
  }

  private void skipByteOrderMark() throws IOException {
    if (peek() == 0xef) {
      take();
      if (take() != 0xbb || take() != 0xbf) {
        throw new TransferException(file + " is not UTF-8");
      }
    }
  }

  void seek(long place) throws IOException {
    channel.position(place);
    read.clear().limit(0);
    position = place;
  }

  /** Returns the fields of the next record, or null at the end. */
  @Nullable List<String> next() throws IOException {
    while (peek() == '\r' || peek() == '\n') {
      take();
    }
    start = position;
    if (peek() == END) {
      return null;
    }
    List<String> fields = new ArrayList<>();
    while (true) {
      fields.add(field());
      int after = take();
      if (after == ',') {
        continue;
      }
      if (after == '\r' && peek() == '\n') {
        take();
      }
      if (after == END || after == '\r' || after == '\n') {
        return fields;
      }
      throw new TransferException(place() + "text follows a quoted field");
    }
  }

  /** Reads a field up to the byte that ends it. */
  private String field() throws IOException {
    field.reset();
    if (peek() == '"') {
      take();
      quoted();
    } else {
      while (peek() != ',' && peek() != '\r' && peek() != '\n' && peek() != END) {
        add(take());
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(field.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new TransferException(place() + "not UTF-8", e);
    }
  }

  private void quoted() throws IOException {
    while (true) {
      int b = take();
      if (b == END) {
        throw new TransferException(place() + "a quoted field does not end");
      }
      if (b == '"') {
        if (peek() != '"') {
          return;
        }
        take();
      }
      add(b);
    }
  }

  private void add(int b) {
    if (position - start > RECORD_BYTES_MAX) {
      throw new TransferException(place() + "longer than " + RECORD_BYTES_MAX + " bytes");
    }
    field.write(b);
  }

  private String place() {
    return file + ", the record at byte " + start + ": ";
  }

  private int peek() throws IOException {
    if (!read.hasRemaining()) {
      read.clear();
      int count = channel.read(read);
      read.flip();
      if (count <= 0) {
        return END;
      }
    }
    return read.get(read.position()) & 0xff;
  }

  private int take() throws IOException {
    int b = peek();
    if (b != END) {
      read.get();
      position++;
    }
    return b;
  }

  /** Returns the place of the first byte of the record. */
  long start() {
    return start;
  }

  /** Returns the place after the record. */
  long position() {
    return position;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
