package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.report.Sample;
import java.io.IOException;

/** One of the things that are measured in turns. */
record Entrant(String name, Measure measure) {

  /** Takes one sample of about that length. */
  interface Measure {
    Sample take(long nanos) throws IOException;
  }
}
