package io.lazuli.transfer.blob;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.transfer.format.Lines;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Checkpoint;
import io.lazuli.transfer.progress.Json;
import io.lazuli.transfer.progress.Progress;
import io.lazuli.transfer.progress.StateFile;
import io.lazuli.transfer.progress.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Uploads the blobs of an exported folder. The state has the position in {@code properties.jsonl}
 * before which everything is stored; blobs after it are uploaded again, with the same result.
 */
public final class ContainerImport {
  private static final int LINE_BYTES_MAX = 1 << 20;
  private static final long SAVE_NANOS = 1_000_000_000L;

  private final Containers container;
  private final Path folder;
  private final Path properties;
  private final int workers;
  private final Progress progress;

  @GuardedBy("this")
  private long savedNanos = System.nanoTime();

  public ContainerImport(Containers container, Path folder, int workers, Progress progress) {
    this.container = container;
    this.folder = folder;
    this.properties = folder.resolve(ContainerExport.PROPERTIES);
    this.workers = workers;
    this.progress = progress;
  }

  /** Runs or continues the import. */
  public void run() throws IOException {
    if (!Files.exists(properties) || Files.exists(folder.resolve("state.json"))) {
      throw new TransferException(folder + " has no complete export of a container");
    }
    StateFile state =
        new StateFile(
            folder.resolve("import.json"),
            Map.of(
                "container", container.toString(),
                "bytes", Long.toString(Files.size(properties))));
    Map<String, @Nullable Object> before = state.load();
    long position = before == null ? 0 : Json.number(before.get("position"));
    long blobs = before == null ? 0 : Json.number(before.get("blobs"));
    Map<String, @Nullable Object> description =
        Json.read(Files.readString(folder.resolve(ContainerExport.CONTAINER)));
    container.create(
        Blob.texts(description.get("metadata")), Blob.texts(description.get("properties")));
    expectTotal(position, blobs);
    Checkpoint checkpoint = new Checkpoint(position, blobs);
    try (Lines lines = new Lines(properties, position, LINE_BYTES_MAX);
        Workers threads = new Workers(workers)) {
      while (lines.next()) {
        Map<String, @Nullable Object> line = read(lines);
        Blob blob = Blob.of(line);
        Path file = file(Json.text(line.get("file")));
        long number = checkpoint.start(lines.position(), 1);
        threads.submit(
            () -> {
              upload(blob, file);
              checkpoint.stored(number);
              progress.add(1, ContainerExport.units(blob));
              saveSometimes(state, checkpoint);
            });
      }
      threads.drain();
    }
    state.remove();
  }

  private void expectTotal(long position, long blobs) throws IOException {
    long total = 0;
    long done = 0;
    try (Lines lines = new Lines(properties, 0, LINE_BYTES_MAX)) {
      while (lines.next()) {
        total += ContainerExport.units(Blob.of(read(lines)));
        done = lines.position() <= position ? total : done;
      }
    }
    progress.resume(blobs, done);
    progress.expect(total);
  }

  private static Map<String, @Nullable Object> read(Lines lines) {
    return Json.read(new String(lines.bytes(), 0, lines.length(), StandardCharsets.UTF_8));
  }

  /** Returns the path of a file; a line must not lead out of the folder. */
  private Path file(String name) {
    Path root = folder.resolve(ContainerExport.BLOBS);
    Path file = root.resolve(name).normalize();
    if (!file.startsWith(root)) {
      throw new TransferException(properties + " names a file outside of " + root + ": " + name);
    }
    return file;
  }

  private void upload(Blob blob, Path file) {
    try {
      container.upload(blob, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void saveSometimes(StateFile state, Checkpoint checkpoint) {
    synchronized (this) {
      if (System.nanoTime() - savedNanos < SAVE_NANOS) {
        return;
      }
      savedNanos = System.nanoTime();
      try {
        state.save(Map.of("blobs", checkpoint.items(), "position", checkpoint.position()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
