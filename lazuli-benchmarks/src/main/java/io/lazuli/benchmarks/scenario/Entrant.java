package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.report.Sample;
import java.io.IOException;

/** One of several measurements that are taken in turns. */
record Entrant(String name, Measure measure) {

  /** Takes one sample of about the given length. */
  interface Measure {
    Sample take(long nanos) throws IOException;
  }
}
