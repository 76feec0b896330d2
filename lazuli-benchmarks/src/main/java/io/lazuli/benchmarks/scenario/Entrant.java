package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.report.Sample;
import java.io.IOException;

/** One of the measurements that are taken in alternation. */
record Entrant(String name, Measure measure) {

  /** Takes one sample of about the given length. */
  interface Measure {
    Sample take(long nanos) throws IOException;
  }
}
