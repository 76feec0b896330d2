package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobErrors;
import io.lazuli.server.job.JobKind;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.job.JobWork;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.service.StoredEntity;
import io.lazuli.server.table.service.TableBrowser.Page;
import java.util.Map;

/** Copies entities into another table of the account, which it creates if necessary. */
public final class CopyKind implements JobKind {
  private static final String AT = "at";

  private final Tables tables;
  private final Pace pace;

  public CopyKind(Tables tables, Pace pace) {
    this.tables = tables;
    this.pace = pace;
  }

  @Override
  public String name() {
    return "copy";
  }

  @Override
  public void check(String account, Map<String, String> parameters) {
    tables.check(account, parameters);
    TableName target = Tables.name(parameters, "target");
    Tables.requireOwn(target);
    if (target.key().equals(Tables.name(parameters, "table").key())) {
      throw JobErrors.badOrder("A table cannot be copied into itself.");
    }
  }

  @Override
  public JobWork open(JobRun run) {
    Pace rate = pace.of(run);
    TableName target = TableName.of(run.require("target"));
    return () -> {
      long began = System.nanoTime();
      if (run.cursor(AT) == null) {
        tables.create(run.account(), target);
        run.expect(tables.estimate(run), false);
      }
      Page page = tables.page(run, Positions.position(run.cursor(AT)), rate);
      Replacing writes = new Replacing(tables, run.account(), target, false);
      for (StoredEntity entity : page.entities()) {
        writes.add(Tables.key(entity), EntityCodec.properties(entity.record()));
      }
      writes.flush();
      run.add(page.entities().size());
      run.cursor(AT, Positions.text(page.next()));
      if (page.next() == null) {
        run.expect(run.done(), true);
        run.message(
            "%s %s copied to %s."
                .formatted(
                    Figures.entities(run.done()), run.done() == 1 ? "was" : "were", target.text()));
        return null;
      }
      return rate.afterChanges(page.entities().size(), began);
    };
  }
}
