package io.lazuli.server;

import io.lazuli.server.job.JobFiles;
import io.lazuli.server.job.Jobs;
import io.lazuli.server.job.kind.ChangeKind;
import io.lazuli.server.job.kind.CountKind;
import io.lazuli.server.job.kind.Pace;
import io.lazuli.server.job.kind.Tables;
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
    return new Jobs(
        files,
        List.of(
            new CountKind(tables, pace),
            ChangeKind.delete(tables, pace),
            ChangeKind.edit(tables, pace)),
        Clock.systemUTC());
  }
}
