package io.lazuli.server.job.file;

import io.lazuli.server.job.JobFailure;
import io.lazuli.server.table.protocol.EntityBody;
import io.lazuli.server.table.protocol.EntityParser;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Reads JSON Lines. */
final class JsonLinesSource implements EntitySource {
  /** An entity has at most 1 MiB; as JSON it may have six times as much. */
  static final int LINE_BYTES_MAX = 16 << 20;

  private final FileBytes in;

  JsonLinesSource(FileBytes in, long position) {
    this.in = in;
    in.seek(position);
  }

  @Override
  public @Nullable EntityBody next() {
    while (in.peek() != FileBytes.END) {
      byte[] line = line();
      if (!isBlank(line)) {
        return EntityParser.parse(line);
      }
    }
    return null;
  }

  private byte[] line() {
    ByteArrayOutputStream line = new ByteArrayOutputStream(1 << 10);
    for (int b = in.take(); b != FileBytes.END && b != '\n'; b = in.take()) {
      if (line.size() == LINE_BYTES_MAX) {
        throw new JobFailure("it is longer than 16 MiB");
      }
      line.write(b);
    }
    return line.toByteArray();
  }

  private static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b > ' ' || b < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long position() {
    return in.position();
  }
}
