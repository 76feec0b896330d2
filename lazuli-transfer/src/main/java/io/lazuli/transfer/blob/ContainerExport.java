package io.lazuli.transfer.blob;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.progress.Json;
import io.lazuli.transfer.progress.Progress;
import io.lazuli.transfer.progress.StateFile;
import io.lazuli.transfer.progress.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Exports a container to a folder: the contents below {@code blobs}, and everything else in {@code
 * properties.jsonl}, one line for each blob in the order of the listing.
 *
 * <p>The blobs of one page of the listing are downloaded at the same time. Then their lines are
 * added and the state is saved with the marker of the next page. The state also has the blobs of
 * the current page that are complete, so that a killed export repeats only those that were under
 * way.
 */
public final class ContainerExport {
  static final String BLOBS = "blobs";
  static final String PROPERTIES = "properties.jsonl";
  static final String CONTAINER = "container.json";
  private static final int PAGE_BLOBS_MAX = 500;
  private static final int COUNT_BLOBS_MAX = 5_000;
  private static final long SAVE_NANOS = 1_000_000_000L;

  private final Containers container;
  private final Path folder;
  private final String prefix;
  private final int workers;
  private final Progress progress;
  private final StateFile state;

  /** The blobs of the current page that are complete: their names and tags. */
  @GuardedBy("this")
  private final Set<String> complete = new HashSet<>();

  @GuardedBy("this")
  private Map<String, @Nullable Object> page = new LinkedHashMap<>();

  @GuardedBy("this")
  private long savedNanos = System.nanoTime();

  public ContainerExport(
      Containers container, Path folder, String prefix, int workers, Progress progress) {
    this.container = container;
    this.folder = folder;
    this.prefix = prefix;
    this.workers = workers;
    this.progress = progress;
    this.state =
        new StateFile(
            folder.resolve("state.json"),
            Map.of("container", container.toString(), "prefix", prefix));
  }

  /** Runs or continues the export. */
  public void run() throws IOException {
    Path properties = folder.resolve(PROPERTIES);
    Map<String, @Nullable Object> before = state.load();
    if (before == null && Files.exists(properties)) {
      throw new TransferException(folder + " has an export already; use another folder");
    }
    Files.createDirectories(folder.resolve(BLOBS));
    if (before == null) {
      Files.writeString(folder.resolve(CONTAINER), Json.write(container.describe()) + "\n");
      before = new LinkedHashMap<>();
    }
    expectTotal();
    List<String> prefixes = new ArrayList<>();
    Json.list(before.get("prefixes")).forEach(text -> prefixes.add(Json.text(text)));
    FileNames names = new FileNames(ignoresCase(), prefixes);
    synchronized (this) {
      for (Object mark : Json.list(before.get("complete"))) {
        complete.add(Json.text(mark));
      }
    }
    progress.resume(Json.number(before.get("blobs")), Json.number(before.get("done")));
    try (FileChannel lines =
            FileChannel.open(properties, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Workers threads = new Workers(workers)) {
      lines.truncate(Json.number(before.get("bytes")));
      lines.position(lines.size());
      String marker = Json.text(before.get("marker"));
      do {
        marker = exportPage(marker, names, lines, threads);
      } while (!marker.isEmpty());
    }
    state.remove();
  }

  private void expectTotal() {
    long total = 0;
    String marker = "";
    do {
      BlobList list = container.list(prefix, marker, COUNT_BLOBS_MAX);
      total += list.blobs().stream().mapToLong(ContainerExport::units).sum();
      marker = list.next();
    } while (!marker.isEmpty());
    progress.expect(total);
  }

  /** Returns the share of a blob in the progress; small blobs take time too. */
  static long units(Blob blob) {
    return blob.bytes() + 4096;
  }

  private boolean ignoresCase() throws IOException {
    Path probe = folder.resolve("Case.probe");
    Files.writeString(probe, "");
    boolean ignores = Files.exists(folder.resolve("case.probe"));
    Files.delete(probe);
    return ignores;
  }

  private String exportPage(String marker, FileNames names, FileChannel lines, Workers threads)
      throws IOException {
    synchronized (this) {
      page = new LinkedHashMap<>();
      page.put("marker", marker);
      page.put("bytes", lines.size());
      page.put("prefixes", names.prefixes());
      page.put("blobs", progress.items());
      page.put("done", progress.done());
      save();
    }
    BlobList list = container.list(prefix, marker, PAGE_BLOBS_MAX);
    StringBuilder text = new StringBuilder();
    for (Blob blob : list.blobs()) {
      String file = names.path(blob.name());
      text.append(Json.write(blob.line(file))).append('\n');
      if (isComplete(blob)) {
        progress.add(1, units(blob));
      } else {
        threads.submit(() -> download(blob, folder.resolve(BLOBS).resolve(file)));
      }
    }
    threads.drain();
    ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      lines.write(bytes);
    }
    lines.force(false);
    synchronized (this) {
      complete.clear();
    }
    return list.next();
  }

  private synchronized boolean isComplete(Blob blob) {
    return complete.contains(mark(blob));
  }

  private static String mark(Blob blob) {
    return blob.name() + " " + blob.etag();
  }

  private void download(Blob blob, Path file) {
    try {
      Path parent = file.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      // No encoded name ends like this.
      Path part = file.resolveSibling(file.getFileName() + "%part");
      container.download(blob, part);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      progress.add(1, units(blob));
      synchronized (this) {
        complete.add(mark(blob));
        if (System.nanoTime() - savedNanos > SAVE_NANOS) {
          savedNanos = System.nanoTime();
          save();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @GuardedBy("this")
  private void save() throws IOException {
    Map<String, @Nullable Object> whole = new LinkedHashMap<>(page);
    whole.put("complete", List.copyOf(complete));
    state.save(whole);
  }
}
