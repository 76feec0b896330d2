package io.lazuli.server.scrub;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.check.Finding;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The file to which a repair moves records: one JSON object per line. The file is made for the
 * first record, under a name that no earlier repair has used. Mutable, used by one thread.
 */
final class MovedRecords implements Closeable {
  private final Path folder;
  private @Nullable Path file;
  private @Nullable FileChannel channel;
  private long count;

  MovedRecords(Path folder) {
    this.folder = folder;
  }

  /** Returns the file; null if there is none, because nothing was moved. */
  @Nullable Path file() {
    return file;
  }

  long count() {
    return count;
  }

  /**
   * Adds a record.
   *
   * @param intact true if the value matched its checksum; otherwise the bytes are as stored, with
   *     the checksum at their end
   */
  void add(Finding finding, Space space, Position at, byte[] value, boolean intact) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("kind", finding.place().kind());
      json.writeStringField("account", finding.place().account());
      json.writeStringField("name", finding.place().name());
      json.writeStringField("key", finding.key());
      json.writeStringField("problem", finding.problem());
      json.writeStringField("space", Long.toHexString(space.number()));
      json.writeStringField("partition", hex(at.partition()));
      json.writeStringField("row", hex(at.row()));
      json.writeStringField(intact ? "value" : "stored", HexFormat.of().formatHex(value));
      json.writeEndObject();
      json.writeRaw('\n');
      json.flush();
      ByteBuffer bytes = ByteBuffer.wrap(line.toByteArray());
      FileChannel to = open();
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
      count++;
    } catch (IOException e) {
      throw new UncheckedIOException("records cannot be moved to a file in " + folder, e);
    }
  }

  /** Makes all lines durable. Called before the records are removed from the store. */
  void sync() {
    try {
      if (channel != null) {
        channel.force(true);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("records cannot be moved to a file in " + folder, e);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.force(true);
      channel.close();
    }
  }

  private FileChannel open() throws IOException {
    FileChannel opened = channel;
    if (opened == null) {
      int number = 1;
      while (Files.exists(folder.resolve(name(number)))) {
        number++;
      }
      Path made = folder.resolve(name(number));
      opened = FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      file = made;
      channel = opened;
    }
    return opened;
  }

  private static String name(int number) {
    return "damaged-records-" + number + ".jsonl";
  }

  private static String hex(Bytes bytes) {
    return HexFormat.of().formatHex(bytes.array());
  }
}
