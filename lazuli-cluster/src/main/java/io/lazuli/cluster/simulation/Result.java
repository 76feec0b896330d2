package io.lazuli.cluster.simulation;

import java.util.List;

/**
 * The figures of a window of simulated time.
 *
 * @param rate served requests per second
 * @param refused refused requests per second
 * @param resources the parts that requests wait for, causes before what they entail
 * @param rowsPerRead the reads that shared a call
 * @param operationsPerWrite the operations that shared a call with a commit
 * @param callRate the calls per second that region servers received
 * @param lookUps look-ups in {@code hbase:meta} per second
 * @param meta how much the processor of the server of {@code hbase:meta} was used
 */
record Result(
    double rate,
    double refused,
    Histogram times,
    double longestMillis,
    List<Resource> resources,
    double rowsPerRead,
    double operationsPerWrite,
    double callRate,
    double lookUps,
    double meta) {
  /**
   * A resource.
   *
   * @param name the kind of resource, and which one if they are used differently
   * @param utilisation of the most used one, from 0 to 1
   * @param mean of all of the kind
   */
  record Resource(String name, double utilisation, double mean) {}

  /** Resources whose uses differ by less are used equally. */
  private static final double EQUAL = 0.03;

  Result {
    resources = List.copyOf(resources);
  }

  /**
   * Returns the most used resource; of several that are used equally, the first one. A handler, for
   * instance, is also used while its call waits for a processor.
   */
  Resource busiest() {
    double highest = resources.stream().mapToDouble(Resource::utilisation).max().orElse(0);
    return resources.stream()
        .filter(each -> each.utilisation() >= highest - EQUAL)
        .findFirst()
        .orElseThrow();
  }

  double p50Millis() {
    return times.quantile(0.5) / 1e6;
  }

  double p99Millis() {
    return times.quantile(0.99) / 1e6;
  }

  double p999Millis() {
    return times.quantile(0.999) / 1e6;
  }
}
