package io.lazuli.transfer.queue;

import io.lazuli.transfer.format.Lines;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Json;
import io.lazuli.transfer.progress.Progress;
import io.lazuli.transfer.progress.StateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of a file in their order. A message keeps its text and the time at which it
 * expires. The state is saved after each message; a killed import sends at most one message twice.
 */
public final class QueueImport {
  static final String METADATA = "queueMetadata";
  private static final int LINE_BYTES_MAX = 1 << 20;

  /** Messages that never expire have a time in this year. */
  private static final int NEVER = 9999;

  private final Queues queue;
  private final Path input;
  private final Progress progress;

  public QueueImport(Queues queue, Path input, Progress progress) {
    this.queue = queue;
    this.input = input;
    this.progress = progress;
  }

  public void run() throws IOException {
    StateFile state =
        new StateFile(
            input.resolveSibling(input.getFileName() + ".import"),
            Map.of("queue", queue.toString(), "bytes", Long.toString(Files.size(input))));
    Map<String, @Nullable Object> before = state.load();
    long position = before == null ? 0 : Json.number(before.get("position"));
    long sent = before == null ? 0 : Json.number(before.get("messages"));
    progress.resume(sent, position);
    progress.expect(Files.size(input));
    boolean created = before != null;
    try (Lines lines = new Lines(input, position, LINE_BYTES_MAX)) {
      while (lines.next()) {
        if (lines.isBlank()) {
          continue;
        }
        Map<String, @Nullable Object> line = line(lines);
        if (!created) {
          queue.create(metadata(line));
          created = true;
        }
        if (!line.containsKey(METADATA) && send(Message.of(line))) {
          sent++;
          progress.add(1, 0);
        }
        progress.add(0, lines.position() - lines.start());
        state.save(Map.of("position", lines.position(), "messages", sent));
      }
    }
    if (!created) {
      queue.create(Map.of());
    }
    state.remove();
  }

  private Map<String, @Nullable Object> line(Lines lines) {
    try {
      return Json.read(new String(lines.bytes(), 0, lines.length(), StandardCharsets.UTF_8));
    } catch (TransferException e) {
      throw new TransferException(
          input + ", the line at byte " + lines.start() + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, String> metadata(Map<String, @Nullable Object> line) {
    Map<String, String> metadata = new TreeMap<>();
    Json.map(line.get(METADATA)).forEach((name, value) -> metadata.put(name, Json.text(value)));
    return metadata;
  }

  /** Sends a message; returns false if it has expired. */
  private boolean send(Message message) {
    long ttl = -1;
    if (!message.expires().isEmpty()) {
      ZonedDateTime expires = time(message.expires());
      if (expires.getYear() < NEVER) {
        ttl = Duration.between(Instant.now(), expires.toInstant()).toSeconds();
        if (ttl <= 0) {
          return false;
        }
      }
    }
    queue.put(message.text(), ttl);
    return true;
  }

  private ZonedDateTime time(String text) {
    try {
      return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
    } catch (DateTimeException e) {
      throw new TransferException(input + ": " + text + " is not a time", e);
    }
  }
}
