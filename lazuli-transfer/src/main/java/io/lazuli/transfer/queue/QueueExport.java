package io.lazuli.transfer.queue;

import io.lazuli.transfer.format.Lines;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Json;
import io.lazuli.transfer.progress.Progress;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Exports the messages of a queue.
 *
 * <p>The protocol has no listing of messages. Peeking shows the first 32 and changes nothing. More
 * of them can only be received, which hides them and counts a delivery. Received messages are kept
 * with their receipts in a file next to the output, so that a killed export continues and in the
 * end makes all of them visible again.
 */
public final class QueueExport {
  private static final Duration HIDDEN = Duration.ofHours(1);
  private static final int LINE_BYTES_MAX = 1 << 20;

  private final Queues queue;
  private final Path output;
  private final Path received;
  private final Progress progress;

  public QueueExport(Queues queue, Path output, Progress progress) {
    this.queue = queue;
    this.output = output;
    this.received = output.resolveSibling(output.getFileName() + ".received");
    this.progress = progress;
  }

  public void run(boolean receive, boolean overwrite) throws IOException {
    Queues.Description description = queue.describe();
    boolean continued = isContinued();
    if (Files.exists(output) && !overwrite && !continued) {
      throw new TransferException(output + " exists; use --overwrite to replace it");
    }
    progress.expect(description.messages());
    if (!continued && description.messages() <= Queues.MESSAGES_MAX) {
      List<Message> messages = queue.peek();
      write(description, messages);
      return;
    }
    if (!continued && !receive) {
      throw new TransferException(
          queue
              + " has about "
              + description.messages()
              + " messages. More than "
              + Queues.MESSAGES_MAX
              + " cannot be read without receiving them: --receive hides them for up to an hour,"
              + " counts a delivery of each, and makes them visible again");
    }
    receiveAll();
    writeReceived(description);
    release();
    Files.delete(received);
  }

  /** Returns whether an export was killed while its messages are still hidden. */
  private boolean isContinued() throws IOException {
    if (!Files.exists(received)) {
      return false;
    }
    Instant end = Files.getLastModifiedTime(received).toInstant().plus(HIDDEN);
    if (Instant.now().isBefore(end)) {
      return true;
    }
    Files.delete(received);
    return false;
  }

  private void receiveAll() throws IOException {
    try (Writer out =
        Files.newBufferedWriter(received, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      List<Message> messages = queue.receive(HIDDEN.toSeconds());
      while (!messages.isEmpty()) {
        for (Message message : messages) {
          out.write(Json.write(message.received()) + "\n");
        }
        out.flush();
        progress.add(messages.size(), messages.size());
        messages = queue.receive(HIDDEN.toSeconds());
      }
    }
  }

  private void write(Queues.Description description, List<Message> messages) throws IOException {
    Path part = output.resolveSibling(output.getFileName() + ".part");
    try (Writer out = Files.newBufferedWriter(part)) {
      writeHead(description, out);
      for (Message message : messages) {
        out.write(Json.write(message.line()) + "\n");
      }
    }
    progress.add(messages.size(), messages.size());
    Files.move(part, output, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private void writeReceived(Queues.Description description) throws IOException {
    Path part = output.resolveSibling(output.getFileName() + ".part");
    try (Writer out = Files.newBufferedWriter(part)) {
      writeHead(description, out);
      forReceived(message -> out.write(Json.write(message.line()) + "\n"));
    }
    Files.move(part, output, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void writeHead(Queues.Description description, Writer out) throws IOException {
    if (!description.metadata().isEmpty()) {
      out.write(Json.write(Map.of(QueueImport.METADATA, description.metadata())) + "\n");
    }
  }

  private void release() throws IOException {
    forReceived(queue::release);
  }

  @FunctionalInterface
  private interface MessageAction {
    void accept(Message message) throws IOException;
  }

  private void forReceived(MessageAction action) throws IOException {
    try (Lines lines = new Lines(received, 0, LINE_BYTES_MAX)) {
      while (lines.next()) {
        String line = new String(lines.bytes(), 0, lines.length(), StandardCharsets.UTF_8);
        // The last line of a killed export may be cut off; its message comes back after an hour.
        if (line.endsWith("}")) {
          action.accept(Message.of(Json.read(line)));
        }
      }
    }
  }
}
