package io.lazuli.transfer.progress;

import io.lazuli.transfer.http.TransferException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file that remembers how far a transfer is. A save replaces it as a whole, so that a killed
 * process leaves the previous state or the next one.
 *
 * @param subject the transfer to which the state belongs: address, name and options
 */
public record StateFile(Path path, Map<String, String> subject) {
  private static final String SUBJECT = "transfer";

  /**
   * Reads the state.
   *
   * @return null if there is none
   * @throws TransferException if it belongs to another transfer
   */
  public @Nullable Map<String, @Nullable Object> load() throws IOException {
    if (!Files.exists(path)) {
      return null;
    }
    Map<String, @Nullable Object> state = Json.read(Files.readString(path));
    Map<String, @Nullable Object> found = Json.map(state.get(SUBJECT));
    if (!found.equals(subject)) {
      throw new TransferException(
          path
              + " is the state of another transfer: "
              + found
              + "; repeat that one, or remove its state");
    }
    return state;
  }

  public void save(Map<String, ? extends @Nullable Object> state) throws IOException {
    Map<String, @Nullable Object> whole = new LinkedHashMap<>();
    whole.put(SUBJECT, subject);
    whole.putAll(state);
    Path next = path.resolveSibling(path.getFileName() + ".next");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(Json.write(whole).getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Removes the state of a finished transfer. */
  public void remove() throws IOException {
    Files.deleteIfExists(path);
  }
}
