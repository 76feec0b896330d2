package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobKind;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.job.JobWork;
import io.lazuli.server.table.service.TableBrowser.Page;
import io.lazuli.storage.Position;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes or deletes the entities that a filter finds. It counts them first, says how many there
 * are, and waits for a permission unless the order has given it. It goes through the table once, by
 * key, so an entity that a change makes match again is not met twice.
 */
public final class ChangeKind implements JobKind {
  private static final String AT = "at";
  private static final String BEGUN = "begun";
  private static final String CHANGED = "changed";
  private static final String SAME = "same";
  private static final String MOVED = "moved";

  private final String name;
  private final Tables tables;
  private final Pace pace;
  private final Change.Factory changes;

  private ChangeKind(String name, Tables tables, Pace pace, Change.Factory changes) {
    this.name = name;
    this.tables = tables;
    this.pace = pace;
    this.changes = changes;
  }

  public static ChangeKind delete(Tables tables, Pace pace) {
    return new ChangeKind("delete", tables, pace, Change::delete);
  }

  public static ChangeKind edit(Tables tables, Pace pace) {
    return new ChangeKind("edit", tables, pace, Change::edit);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void check(String account, Map<String, String> parameters) {
    tables.check(account, parameters);
    Tables.requireOwn(Tables.name(parameters, "table"));
    Change unused = changes.of(parameters);
  }

  @Override
  public JobWork open(JobRun run) {
    return new Work(run);
  }

  private final class Work implements JobWork {
    private final JobRun run;
    private final Counting counting;
    private final Change change;
    private final Changes writes;
    private final Pace rate;

    Work(JobRun run) {
      this.run = run;
      this.rate = pace.of(run);
      this.counting = new Counting(tables, rate, run);
      this.change = changes.of(run.parameters());
      this.writes = new Changes(tables, run, change);
    }

    @Override
    public @Nullable Duration step() {
      if (!counting.isDone()) {
        return counting.step();
      }
      if (run.cursor(BEGUN) == null) {
        run.restart("entities", 0);
        run.expect(counting.matches(), true);
        if (!run.isAllowed() && run.parameter("ask", "yes").equals("yes")) {
          run.ask("Waits for a permission to " + change.verb() + " " + counting.sentence() + ".");
          return Duration.ZERO;
        }
        run.cursor(BEGUN, "yes");
      }
      return changePage();
    }

    private @Nullable Duration changePage() {
      long began = System.nanoTime();
      Page page = tables.page(run, Positions.position(run.cursor(AT)), rate);
      Changes.Count count = writes.apply(page.entities());
      run.cursor(CHANGED, run.number(CHANGED) + count.changed());
      run.cursor(SAME, run.number(SAME) + count.same());
      run.cursor(MOVED, run.number(MOVED) + count.moved());
      run.add(count.changed() + count.same());
      Position next = page.next();
      run.cursor(AT, Positions.text(next));
      if (next == null) {
        run.message(sentence());
        run.log(sentence());
        return null;
      }
      return rate.afterChanges(page.entities().size(), began);
    }

    private String sentence() {
      StringBuilder text = new StringBuilder(run.isRepeated() ? "At least " : "");
      text.append(Figures.entities(run.number(CHANGED)));
      text.append(run.number(CHANGED) == 1 ? " was " : " were ").append(change.past());
      if (run.number(SAME) > 0) {
        text.append("; ").append(Figures.number(run.number(SAME))).append(" had the value already");
      }
      if (run.number(MOVED) > 0) {
        text.append("; ")
            .append(Figures.number(run.number(MOVED)))
            .append(" changed and no longer match");
      }
      return text.append('.').toString();
    }
  }
}
