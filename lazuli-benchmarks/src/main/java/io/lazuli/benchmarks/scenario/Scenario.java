package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.report.Section;
import java.io.IOException;
import java.util.List;

/** Measures one thing and returns its table of the report. */
public interface Scenario {

  /** Returns the name for {@code --only}. */
  String name();

  Section run(Stage stage) throws IOException;

  /**
   * Returns all scenarios in the order in which they run. Memory is last, when the server has all
   * data.
   */
  static List<Scenario> all() {
    return List.of(
        new StartScenario(),
        new GetScenario(),
        new InsertScenario(),
        new BatchScenario(),
        new QueryScenario(),
        new PageScenario(),
        new ConstantRowKeyScenario(),
        new ScanScenario(),
        new GetUnderScansScenario(),
        new InsertUnderMergesScenario(),
        new DropScenario(),
        new QueueScenario(),
        new QueueBacklogScenario(),
        new BlobScenario(),
        new BlobListScenario(),
        new InsertUnderUploadsScenario(),
        new InsertUnderBackupScenario(),
        new LogsScenario(),
        new TokenScenario(),
        BeforeScenario.ofAll(),
        BeforeScenario.ofSmallBlobs(),
        BeforeScenario.ofPointGets(),
        BeforeScenario.ofInserts(),
        BeforeScenario.ofQueries(),
        new MappingScenario(),
        new MemoryScenario());
  }
}
