package io.lazuli.transfer.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Property;
import io.lazuli.transfer.format.Column;
import io.lazuli.transfer.format.CsvOutput;
import io.lazuli.transfer.format.EntityOutput;
import io.lazuli.transfer.format.JsonLinesInput;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.parquet.ParquetOutput;
import io.lazuli.transfer.progress.Json;
import io.lazuli.transfer.progress.Progress;
import io.lazuli.transfer.progress.StateFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Exports a table to a file.
 *
 * <p>Workers write JSON Lines into one file for each {@link Part}, in a folder next to the output.
 * A state file in the folder says how much of each part is complete, so that a killed export
 * continues there. When all parts are complete, they are put together in the order of the keys; CSV
 * and Parquet are made of them, because their first bytes depend on the columns of all entities.
 * The result is the same for any number of workers and interruptions.
 */
public final class TableExport {
  /** More columns would need more memory than the rest of the export. JSON Lines has no columns. */
  static final int COLUMNS_MAX = 2_000;

  private static final long SAVE_NANOS = 1_000_000_000L;

  private final Tables table;
  private final Path output;
  private final FileFormat format;
  private final String filter;
  private final int workers;
  private final Progress progress;
  private final Path folder;
  private final StateFile state;
  private final Map<Integer, PartFile> files = new ConcurrentHashMap<>();

  @GuardedBy("columns")
  private final SortedSet<Column> columns = new TreeSet<>();

  public TableExport(
      Tables table, Path output, FileFormat format, String filter, int workers, Progress progress) {
    this.table = table;
    this.output = output;
    this.format = format;
    this.filter = filter;
    this.workers = workers;
    this.progress = progress;
    this.folder = output.resolveSibling(output.getFileName() + ".export");
    this.state =
        new StateFile(
            folder.resolve("state.json"),
            Map.of(
                "table", table.toString(),
                "format", format.name(),
                "filter", filter));
  }

  /** Runs or continues the export. */
  public void run(boolean overwrite) throws IOException {
    Map<String, @Nullable Object> before = state.load();
    if (before == null) {
      if (Files.exists(output) && !overwrite) {
        throw new TransferException(output + " exists; use --overwrite to replace it");
      }
      removeFolder();
      Files.createDirectories(folder);
    }
    List<Part> parts = before == null ? new ArrayList<>() : restore(before);
    List<Part> complete = parts;
    if (parts.isEmpty() || !parts.stream().allMatch(Part::isDone)) {
      complete = new ParallelScan(table, filter, "", parts, new PartFiles()).run(workers);
    }
    assemble(complete);
  }

  private List<Part> restore(Map<String, @Nullable Object> before) {
    List<Part> parts = new ArrayList<>();
    long entities = 0;
    for (Object element : Json.list(before.get("parts"))) {
      Part part = Part.of(Json.map(element));
      parts.add(part);
      entities += part.entities();
    }
    for (Object element : Json.list(before.get("columns"))) {
      List<?> column = Json.list(element);
      addColumn(
          new Column(
              Json.text(column.get(0)),
              EdmType.valueOf(Json.text(column.get(1))),
              Boolean.TRUE.equals(column.get(2))));
    }
    progress.resume(entities, entities);
    return parts;
  }

  private void addColumn(Column column) {
    synchronized (columns) {
      if (columns.add(column) && columns.size() > COLUMNS_MAX) {
        throw new TransferException(
            "the table has more than "
                + COLUMNS_MAX
                + " pairs of a property's name and type; use --format jsonl");
      }
    }
  }

  private Path file(int part) {
    return folder.resolve("part-" + part + ".jsonl");
  }

  /** The files of the parts, as the sink of the scan. */
  private final class PartFiles implements ParallelScan.Sink {
    /** The scan calls {@link #changed} with its lock, so that one thread at a time uses this. */
    private long savedNanos = System.nanoTime() - SAVE_NANOS;

    @Override
    public void begin(Part part) throws IOException {
      PartFile file = files.get(part.id());
      if (file == null) {
        file = new PartFile(file(part.id()), part.bytes());
        files.put(part.id(), file);
      }
      file.rollBack();
    }

    @Override
    public void add(Part part, Entity entity) throws IOException {
      if (format != FileFormat.JSONL) {
        for (Property property : entity.properties()) {
          addColumn(Column.of(property));
        }
      }
      require(part).write(entity);
    }

    @Override
    public long commit(Part part) throws IOException {
      PartFile file = require(part);
      progress.add(file.uncommitted(), file.uncommitted());
      return file.commit();
    }

    private PartFile require(Part part) {
      PartFile file = files.get(part.id());
      if (file == null) {
        throw new IllegalStateException("no file for part " + part.id());
      }
      return file;
    }

    @Override
    public void changed(List<Part> parts, boolean important) throws IOException {
      if (!important && System.nanoTime() - savedNanos < SAVE_NANOS) {
        return;
      }
      savedNanos = System.nanoTime();
      for (PartFile file : files.values()) {
        file.force();
      }
      save(parts);
      for (Part part : parts) {
        PartFile file = part.isDone() ? files.remove(part.id()) : null;
        if (file != null) {
          file.close();
        }
      }
    }
  }

  private void save(List<Part> parts) throws IOException {
    Map<String, @Nullable Object> saved = new LinkedHashMap<>();
    saved.put("parts", parts.stream().map(Part::state).toList());
    synchronized (columns) {
      saved.put(
          "columns",
          columns.stream()
              .map(column -> List.of(column.name(), column.type().name(), column.escaped()))
              .toList());
    }
    state.save(saved);
  }

  /** Makes the output of complete parts, and removes them. */
  private void assemble(List<Part> parts) throws IOException {
    Path whole = folder.resolve("whole");
    Files.deleteIfExists(whole);
    if (format == FileFormat.JSONL) {
      concatenate(parts, whole);
    } else {
      convert(parts, whole);
    }
    try (FileChannel channel = FileChannel.open(whole, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(whole, output, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    state.remove();
    removeFolder();
  }

  private void concatenate(List<Part> parts, Path whole) throws IOException {
    try (FileChannel out =
        FileChannel.open(whole, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (Part part : parts) {
        long copied = 0;
        while (copied < part.bytes()) {
          try (FileChannel in = FileChannel.open(file(part.id()))) {
            copied += in.transferTo(copied, part.bytes() - copied, out);
          }
        }
      }
    }
  }

  private void convert(List<Part> parts, Path whole) throws IOException {
    SortedSet<Column> all;
    synchronized (columns) {
      all = new TreeSet<>(columns);
    }
    try (EntityOutput out =
        format == FileFormat.CSV ? new CsvOutput(whole, all) : new ParquetOutput(whole, all)) {
      for (Part part : parts) {
        if (part.bytes() > 0) {
          copy(file(part.id()), part.bytes(), out);
        }
      }
    }
  }

  private static void copy(Path part, long bytes, EntityOutput out) throws IOException {
    try (JsonLinesInput in = new JsonLinesInput(part, 0)) {
      while (in.position() < bytes) {
        Entity entity = in.next();
        if (entity == null) {
          throw new TransferException(part + " is too short");
        }
        out.write(entity);
      }
    }
  }

  private void removeFolder() throws IOException {
    if (Files.exists(folder)) {
      List<Path> contents;
      try (Stream<Path> listed = Files.list(folder)) {
        contents = listed.toList();
      }
      for (Path file : contents) {
        Files.delete(file);
      }
      Files.delete(folder);
    }
  }
}
