package io.lazuli.server.job.kind;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.job.JobErrors;
import io.lazuli.server.job.JobFailure;
import io.lazuli.server.job.JobFiles;
import io.lazuli.server.job.JobKind;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.job.JobState;
import io.lazuli.server.job.JobWork;
import io.lazuli.server.job.file.Converter;
import io.lazuli.server.job.file.EntitySource;
import io.lazuli.server.job.file.FileBytes;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.EntityBody;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the entities of an uploaded file into a table, which it creates if necessary. */
public final class ImportKind implements JobKind {
  private static final String AT = "at";
  private static final String RECORDS = "records";
  private static final int STEP_ENTITIES = 500;
  private static final long STEP_BYTES = 1 << 20;

  private final Tables tables;
  private final Pace pace;
  private final JobFiles files;
  private final Converter converter;

  public ImportKind(Tables tables, Pace pace, JobFiles files, Converter converter) {
    this.tables = tables;
    this.pace = pace;
    this.files = files;
    this.converter = converter;
  }

  @Override
  public String name() {
    return "import";
  }

  @Override
  public void check(String account, Map<String, String> parameters) {
    Tables.requireOwn(Tables.name(parameters, "table"));
    Pace.check(parameters);
    Formats.check(parameters, converter);
    if (!Set.of("replace", "merge").contains(parameters.getOrDefault("mode", "replace"))) {
      throw JobErrors.badOrder("The mode is replace or merge.");
    }
    JobFiles.Stored file = files.find(parameters.getOrDefault("file", ""));
    if (file == null || !file.account().equals(account) || file.bytes() < 0) {
      throw JobErrors.NO_FILE.exception();
    }
  }

  @Override
  public JobWork open(JobRun run) {
    JobFiles.Stored file = files.find(run.require("file"));
    if (file == null) {
      throw new JobFailure(JobErrors.NO_FILE.message());
    }
    return run.parameter("format", "jsonl").equals("parquet")
        ? new Converted(run, file)
        : new Work(run, file, run.parameter("format", "jsonl"));
  }

  /** Converts the file to JSON Lines, and then imports these. */
  private final class Converted implements JobWork {
    private final JobRun run;
    private final JobFiles.Stored file;
    private @Nullable Conversion conversion;
    private @Nullable Work work;

    Converted(JobRun run, JobFiles.Stored file) {
      this.run = run;
      this.file = file;
    }

    @Override
    public @Nullable Duration step() {
      Work importing = work;
      if (importing != null) {
        Duration pause = importing.step();
        if (pause == null) {
          files.remove(run.id());
        }
        return pause;
      }
      JobFiles.Stored lines = files.find(run.id());
      if (lines != null) {
        work = new Work(run, lines, "jsonl");
        return Duration.ZERO;
      }
      Conversion current = conversion;
      if (current == null) {
        long chunks = (file.bytes() + JobFiles.CHUNK_BYTES - 1) / JobFiles.CHUNK_BYTES;
        current =
            new Conversion(files, run, converter, file.id(), chunks, "parquet", run.id(), "jsonl");
        conversion = current;
      }
      Duration pause = current.step();
      if (pause == null) {
        files.note(run.id(), run.account(), current.bytes());
        return Duration.ZERO;
      }
      return pause;
    }

    @Override
    public void stop(JobState next) {
      Conversion current = conversion;
      if (current != null && work == null) {
        current.end();
      }
    }
  }

  private final class Work implements JobWork {
    private final JobRun run;
    private final Pace rate;
    private final TableName table;
    private final EntitySource source;

    Work(JobRun run, JobFiles.Stored file, String format) {
      this.run = run;
      this.rate = pace.of(run);
      this.table = Tables.table(run);
      run.restart("bytes", run.number(AT));
      run.expect(file.bytes(), true);
      tables.create(run.account(), table);
      this.source =
          EntitySource.open(
              format,
              new FileBytes(files, file.id(), file.bytes()),
              run.number(AT),
              run.parameter("guard", "yes").equals("yes"));
    }

    @Override
    public @Nullable Duration step() {
      long began = System.nanoTime();
      boolean isMerging = run.parameter("mode", "replace").equals("merge");
      Replacing writes = new Replacing(tables, run.account(), table, isMerging);
      long start = source.position();
      long records = run.number(RECORDS);
      long read = 0;
      EntityBody entity = next(writes, records + 1);
      while (entity != null) {
        read++;
        boolean isFull =
            read >= rate.rows(STEP_ENTITIES) || source.position() - start >= STEP_BYTES;
        if (isFull) {
          break;
        }
        entity = next(writes, records + read + 1);
      }
      writes.flush();
      run.cursor(RECORDS, records + read);
      run.add(source.position() - run.number(AT));
      run.cursor(AT, source.position());
      if (entity == null) {
        run.message(written(records + read) + ".");
        return null;
      }
      return rate.afterChanges(read, began);
    }

    /** Reads an entity and adds it to those that are written. */
    private @Nullable EntityBody next(Replacing writes, long number) {
      EntityBody entity;
      EntityKey key;
      try {
        entity = source.next();
        if (entity == null) {
          return null;
        }
        key = key(entity);
      } catch (JobFailure e) {
        throw failure(number, e.getMessage(), e);
      } catch (ServiceException e) {
        throw failure(number, e.text(), e);
      }
      writes.add(key, entity.properties());
      return entity;
    }
  }

  private static EntityKey key(EntityBody entity) {
    String partitionKey = entity.partitionKey();
    String rowKey = entity.rowKey();
    if (partitionKey == null || rowKey == null) {
      throw new JobFailure("it has no PartitionKey or no RowKey");
    }
    EntityLimits.checkBodyKey("PartitionKey", partitionKey);
    EntityLimits.checkBodyKey("RowKey", rowKey);
    return new EntityKey(partitionKey, rowKey);
  }

  private static JobFailure failure(long number, @Nullable String why, Exception cause) {
    return new JobFailure(
        "Record %s of the file is wrong: %s. Those before it %s."
            .formatted(
                Figures.number(number),
                String.valueOf(why).replaceAll("\\.\\s*$", ""),
                number == 1 ? "do not exist" : "may have been written"),
        cause);
  }

  private static String written(long entities) {
    return Figures.entities(entities) + (entities == 1 ? " was" : " were") + " written";
  }
}
