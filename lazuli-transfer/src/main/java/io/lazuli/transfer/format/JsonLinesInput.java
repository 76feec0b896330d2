package io.lazuli.transfer.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.EntityJson;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads JSON Lines. A position is the number of bytes before it. */
public final class JsonLinesInput implements EntityInput {
  /** An entity has at most 1 MiB; as JSON it may have six times as much. */
  private static final int LINE_BYTES_MAX = 16 << 20;

  private final Path file;
  private final long end;
  private final Lines lines;

  public JsonLinesInput(Path file, long position) throws IOException {
    this.file = file;
    this.end = Files.size(file);
    this.lines = new Lines(file, position, LINE_BYTES_MAX);
  }

  @Override
  public @Nullable Entity next() throws IOException {
    while (lines.next()) {
      if (lines.isBlank()) {
        continue;
      }
      try (JsonParser parser = Json.FACTORY.createParser(lines.bytes(), 0, lines.length())) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
          throw new TransferException("not a JSON object");
        }
        Entity entity = EntityJson.read(parser);
        if (parser.nextToken() != null) {
          throw new TransferException("text follows the JSON object");
        }
        return entity;
      } catch (JsonProcessingException e) {
        throw new TransferException(place() + e.getOriginalMessage(), e);
      } catch (TransferException e) {
        throw new TransferException(place() + e.getMessage(), e);
      }
    }
    return null;
  }

  private String place() {
    return file + ", the line at byte " + lines.start() + ": ";
  }

  @Override
  public long position() {
    return lines.position();
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
