package io.lazuli.server.job;

import java.util.Map;

/** What a job can do. */
public interface JobKind {
  /** Returns the name in orders. */
  String name();

  /** Returns why this server cannot do it; empty if it can. */
  default String unavailable() {
    return "";
  }

  /** Returns the formats that it has but this server cannot do, each with the reason. */
  default Map<String, String> unavailableFormats() {
    return Map.of();
  }

  /** Checks an order; throws 400 for one that can never succeed. */
  void check(String account, Map<String, String> parameters);

  /** Begins, or goes on where the cursor of the run says. */
  JobWork open(JobRun run);
}
