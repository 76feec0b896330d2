package io.lazuli.server;

import io.lazuli.server.backup.BackupConfig;
import io.lazuli.server.backup.Backups;
import io.lazuli.server.job.JobFiles;
import io.lazuli.server.job.Jobs;
import io.lazuli.server.job.file.Converter;
import io.lazuli.server.job.kind.BackupKind;
import io.lazuli.server.job.kind.ChangeKind;
import io.lazuli.server.job.kind.CopyKind;
import io.lazuli.server.job.kind.CountKind;
import io.lazuli.server.job.kind.ExportKind;
import io.lazuli.server.job.kind.ImportKind;
import io.lazuli.server.job.kind.Pace;
import io.lazuli.server.job.kind.Tables;
import io.lazuli.server.job.kind.VerifyKind;
import io.lazuli.server.own.OwnTables;
import io.lazuli.server.table.service.TableBrowser;
import io.lazuli.server.table.service.TableService;
import java.time.Clock;
import java.util.List;

/** Assembles the jobs. */
final class ServerJobs {
  private ServerJobs() {}

  static Jobs of(ServerParts parts, TableService service, TableBrowser browser) {
    JobFiles files =
        new JobFiles(new OwnTables(parts.engine(), parts.catalog(), "Job"), Clock.systemUTC());
    Tables tables = new Tables(service, browser);
    Pace pace = new Pace(parts.workers()::waiting);
    Converter converter = Converter.installed();
    return new Jobs(
        files,
        List.of(
            new CountKind(tables, pace),
            ChangeKind.delete(tables, pace),
            ChangeKind.edit(tables, pace),
            new ExportKind(tables, pace, files, converter),
            new ImportKind(tables, pace, files, converter),
            new CopyKind(tables, pace),
            backup(parts),
            new VerifyKind(parts.scrub())),
        Clock.systemUTC());
  }

  private static BackupKind backup(ServerParts parts) {
    BackupConfig plan = parts.config().backup();
    String target = plan.target();
    return new BackupKind(
        parts.backups(),
        target == null
            ? null
            : new Backups.Order(target, plan.accounts(), (long) plan.rateMib() << 20),
        !parts.config().store().isInMemory() && !parts.engine().isShared());
  }
}
