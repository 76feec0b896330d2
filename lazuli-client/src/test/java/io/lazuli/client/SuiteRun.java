package io.lazuli.client;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Tests of this module that run once more inside a test, on another kind of server. Mutable. The
 * tests report from several threads; the results are read after the run.
 */
final class SuiteRun implements TestExecutionListener {
  static final String WHY_ISOLATED = "runs test classes again, and their static fields exist once";

  private final Map<String, String> parameters;
  private final List<String> excludedTags;
  private final List<DiscoverySelector> aborted = new ArrayList<>();
  private final List<String> excuses = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private int passed;
  private int skipped;

  private SuiteRun(Map<String, String> parameters, List<String> excludedTags) {
    this.parameters = parameters;
    this.excludedTags = excludedTags;
  }

  /**
   * Runs tests to their end.
   *
   * @param parameters configuration parameters, such as {@link TestAccount#SETTING}
   */
  static SuiteRun of(
      List<? extends DiscoverySelector> tests,
      Map<String, String> parameters,
      List<String> excludedTags) {
    SuiteRun run = new SuiteRun(parameters, excludedTags);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(tests)
            .filters(includeClassNamePatterns(".*Test"), TagFilter.excludeTags(excludedTags))
            .configurationParameters(parameters)
            .build();
    LauncherFactory.create().execute(request, run);
    return run;
  }

  /** Runs the aborted tests again with other parameters. */
  SuiteRun again(Map<String, String> changed) {
    return of(aborted, changed, excludedTags);
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    switch (result.getStatus()) {
      case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
      case ABORTED -> {
        aborted.add(selectUniqueId(test.getUniqueIdObject()));
        excuses.add(test.getUniqueId() + " " + trace(result).lines().findFirst().orElse(""));
      }
      case FAILED ->
          failures.add(
              test.getUniqueId() + " " + parameters + System.lineSeparator() + trace(result));
    }
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    skipped++;
  }

  private static String trace(TestExecutionResult result) {
    StringWriter text = new StringWriter();
    result.getThrowable().ifPresent(failure -> failure.printStackTrace(new PrintWriter(text)));
    return text.toString().lines().limit(40).collect(Collectors.joining(System.lineSeparator()));
  }

  int passed() {
    return passed;
  }

  int skipped() {
    return skipped;
  }

  int aborted() {
    return aborted.size();
  }

  /** Returns the aborted tests with their reasons. */
  List<String> excuses() {
    return excuses;
  }

  List<String> failures() {
    return failures;
  }
}
