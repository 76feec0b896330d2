package io.lazuli.transfer.format;

import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.EntityJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes JSON Lines. */
public final class JsonLinesOutput implements EntityOutput {
  private final BufferedWriter out;
  private final StringBuilder line = new StringBuilder();

  public JsonLinesOutput(Path file) throws IOException {
    this.out = Files.newBufferedWriter(file);
  }

  @Override
  public void write(Entity entity) throws IOException {
    line.setLength(0);
    EntityJson.writeLine(entity, line);
    out.append(line).append('\n');
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
