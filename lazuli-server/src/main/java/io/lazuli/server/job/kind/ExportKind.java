package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobFailure;
import io.lazuli.server.job.JobFiles;
import io.lazuli.server.job.JobKind;
import io.lazuli.server.job.JobResult;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.job.JobState;
import io.lazuli.server.job.JobWork;
import io.lazuli.server.job.file.Converter;
import io.lazuli.server.job.file.CsvLines;
import io.lazuli.server.job.file.EntityLines;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.service.StoredEntity;
import io.lazuli.server.table.service.TableBrowser.Page;
import io.lazuli.storage.Position;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entities that a filter finds to a file. A CSV file begins with the names of all
 * properties, so its entities are read twice. If a property appears in between, the file begins
 * again.
 */
public final class ExportKind implements JobKind {
  private static final String AT = "at";
  private static final String CHUNKS = "chunks";
  private static final String BYTES = "bytes";
  private static final String COLUMNS_AT = "columns.at";
  private static final String COLUMNS = "columns";
  private static final String RESTARTS = "restarts";
  private static final String WRITTEN = "written";
  private static final String PARQUET = "parquet";
  private static final int COLUMNS_MAX = 2_000;
  private static final int RESTARTS_MAX = 5;

  private final Tables tables;
  private final Pace pace;
  private final JobFiles files;
  private final Converter converter;

  public ExportKind(Tables tables, Pace pace, JobFiles files, Converter converter) {
    this.tables = tables;
    this.pace = pace;
    this.files = files;
    this.converter = converter;
  }

  @Override
  public Map<String, String> unavailableFormats() {
    String why = converter.unavailable();
    return why.isEmpty() ? Map.of() : Map.of(PARQUET, why);
  }

  @Override
  public String name() {
    return "export";
  }

  @Override
  public void check(String account, Map<String, String> parameters) {
    tables.check(account, parameters);
    Formats.check(parameters, converter);
  }

  @Override
  public JobWork open(JobRun run) {
    return new Work(run);
  }

  private final class Work implements JobWork {
    private final JobRun run;
    private final Pace rate;
    private final String format;
    private final TreeSet<String> columns = new TreeSet<>();
    private @Nullable CsvLines csv;
    private @Nullable Conversion conversion;

    Work(JobRun run) {
      this.run = run;
      this.rate = pace.of(run);
      this.format = run.parameter("format", "jsonl");
      if (isCsv()) {
        columns.addAll(files.names(run.id(), COLUMNS_MAX));
      }
    }

    /** Returns the file into which the entities are written, in the store. */
    private String file() {
      return isParquet() ? JobFiles.draft(run.id()) : run.id();
    }

    private boolean isParquet() {
      return format.equals(PARQUET);
    }

    private boolean isCsv() {
      return format.equals("csv");
    }

    @Override
    public @Nullable Duration step() {
      if (run.cursor(AT) == null && run.cursor(COLUMNS_AT) == null) {
        run.expect(tables.estimate(run), false);
      }
      if (run.cursor(WRITTEN) != null) {
        return convert();
      }
      return isCsv() && run.cursor(COLUMNS) == null ? readColumns() : write();
    }

    /** Turns the lines that were written into the format of the order. */
    private @Nullable Duration convert() {
      Conversion current = conversion;
      if (current == null) {
        current =
            new Conversion(
                files, run, converter, file(), run.number(CHUNKS), "jsonl", run.id(), format);
        conversion = current;
      }
      Duration pause = current.step();
      if (pause == null) {
        finish(current.bytes(), current.chunks());
        files.removeDraft(run.id());
      }
      return pause;
    }

    @Override
    public void stop(JobState next) {
      Conversion current = conversion;
      if (current != null) {
        current.end();
      }
    }

    private Duration readColumns() {
      long began = System.nanoTime();
      Page page = tables.page(run, Positions.position(run.cursor(COLUMNS_AT)), rate);
      page.entities().forEach(this::note);
      run.cursor(COLUMNS_AT, Positions.text(page.next()));
      run.add(page.entities().size());
      if (page.next() == null) {
        run.expect(run.done(), false);
        run.restart("entities", 0);
        run.cursor(COLUMNS, "yes");
        run.log(Figures.count(columns.size(), "property has", "properties have") + " a column");
      }
      return rate.afterReads(page.entities().size(), began);
    }

    private void note(StoredEntity entity) {
      for (Property property : EntityCodec.properties(entity.record())) {
        if (columns.add(property.name())) {
          if (columns.size() > COLUMNS_MAX) {
            throw new JobFailure(
                "The entities have more than 2,000 properties. Export them as JSON Lines.");
          }
          files.addName(run.id(), property.name());
        }
      }
    }

    private @Nullable Duration write() {
      long began = System.nanoTime();
      Position from = Positions.position(run.cursor(AT));
      Page page = tables.page(run, from, rate);
      byte[] bytes = isCsv() ? lines().of(page.entities()) : EntityLines.of(page.entities());
      if (bytes == null) {
        return again(page);
      }
      long chunks = run.number(CHUNKS);
      long length = run.number(BYTES);
      if (isCsv() && chunks == 0) {
        byte[] header = lines().header();
        length += header.length;
        chunks = put(header, chunks);
      }
      length += bytes.length;
      if (length > JobFiles.FILE_BYTES_MAX) {
        throw new JobFailure("The file is longer than 4 GiB. Use lazuli export.");
      }
      run.cursor(CHUNKS, put(bytes, chunks));
      run.cursor(BYTES, length);
      run.add(page.entities().size());
      run.cursor(AT, Positions.text(page.next()));
      if (page.next() == null && isParquet()) {
        run.cursor(WRITTEN, "yes");
        run.log("all entities were read; the file is converted to Parquet");
        return Duration.ZERO;
      }
      if (page.next() == null) {
        finish(length, Math.toIntExact(run.number(CHUNKS)));
        return null;
      }
      return rate.afterReads(page.entities().size(), began);
    }

    private CsvLines lines() {
      CsvLines made = csv;
      if (made == null) {
        made = new CsvLines(columns, run.parameter("guard", "yes").equals("yes"));
        csv = made;
      }
      return made;
    }

    /** Begins the file again, because a property appeared that has no column. */
    private Duration again(Page page) {
      run.cursor(RESTARTS, run.number(RESTARTS) + 1);
      if (run.number(RESTARTS) > RESTARTS_MAX) {
        throw new JobFailure(
            "New properties appear faster than a file can be written. Export JSON Lines.");
      }
      page.entities().forEach(this::note);
      csv = null;
      run.cursor(AT, (String) null);
      run.cursor(CHUNKS, 0);
      run.cursor(BYTES, 0);
      run.restart("entities", 0);
      run.log("a property appeared that has no column; the file begins again");
      return Duration.ZERO;
    }

    /** Stores bytes from a chunk on; returns the number of the next chunk. */
    private long put(byte[] bytes, long first) {
      long chunk = first;
      for (int from = 0; from < bytes.length; from += JobFiles.CHUNK_BYTES) {
        int to = Math.min(bytes.length, from + JobFiles.CHUNK_BYTES);
        files.put(file(), Math.toIntExact(chunk++), Arrays.copyOfRange(bytes, from, to));
      }
      return chunk;
    }

    private void finish(long bytes, int chunks) {
      files.note(run.id(), run.account(), bytes);
      run.result(new JobResult(Tables.table(run).text() + "." + format, bytes, chunks));
      run.expect(run.done(), true);
      run.message(Figures.entities(run.done()) + ", " + Figures.bytes(bytes));
    }
  }
}
