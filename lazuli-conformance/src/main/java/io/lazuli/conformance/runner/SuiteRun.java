package io.lazuli.conformance.runner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the cases of a selection one after another and collects their results. Stops early when the
 * endpoint is gone, because every remaining case would wait for its time limit. Used once.
 */
final class SuiteRun implements TestExecutionListener {

  /** The number of consecutive cases without an answer after which the endpoint is checked. */
  private static final int UNANSWERED_MAX = 3;

  private static final String OWN_SERVER_ONLY = "kills and restarts the server";
  private static final int INVOCATION_CHARS_MAX = 120;

  private final Progress progress;
  private final UnaryOperator<String> redaction;
  private final BooleanSupplier answers;
  private final CancellationToken cancellation = CancellationToken.create();
  private final List<CaseResult> results = new ArrayList<>();
  private final Map<String, Long> startNanos = new HashMap<>();
  private @Nullable TestPlan plan;
  private int unanswered;

  /**
   * Prepares a run.
   *
   * @param redaction removes secrets from the messages of cases
   * @param answers checks whether the endpoint still answers
   */
  SuiteRun(Progress progress, UnaryOperator<String> redaction, BooleanSupplier answers) {
    this.progress = progress;
    this.redaction = redaction;
    this.answers = answers;
  }

  /**
   * Runs the cases. Returns the results sorted by name. The invocations of a case keep the order in
   * which they ran.
   */
  List<CaseResult> run(Selection selection, long caseSecondsMax) {
    Launcher launcher = LauncherFactory.create();
    TestPlan discovered = launcher.discover(selection.request(caseSecondsMax));
    for (Method method : selection.notApplicable()) {
      add(method, "", Outcome.NOT_APPLICABLE, OWN_SERVER_ONLY, 0);
    }
    launcher.execute(
        LauncherExecutionRequestBuilder.request(discovered)
            .listeners(this)
            .cancellationToken(cancellation)
            .build());
    return results.stream().sorted(Comparator.comparing(CaseResult::group)).toList();
  }

  /** Returns true if the endpoint stopped answering, so that some cases did not run. */
  boolean wasStopped() {
    return cancellation.isCancellationRequested();
  }

  @Override
  public void testPlanExecutionStarted(TestPlan started) {
    plan = started;
    long classes = started.countTestIdentifiers(SuiteRun::isClass);
    progress.begins(classes);
  }

  @Override
  public void executionStarted(TestIdentifier identifier) {
    startNanos.put(identifier.getUniqueId(), System.nanoTime());
    if (identifier.isTest()) {
      progress.at(typeName(identifier));
    }
  }

  /**
   * Records a disabled case or class as not applicable. If the run was stopped early, skipped cases
   * are not counted.
   */
  @Override
  public void executionSkipped(TestIdentifier identifier, String reason) {
    if (!wasStopped()) {
      add(identifier, Outcome.NOT_APPLICABLE, reason, 0);
    }
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    Long started = startNanos.remove(identifier.getUniqueId());
    long millis = started == null ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    if (identifier.isTest() || result.getStatus() == Status.FAILED) {
      judge(identifier, result, millis);
    }
    if (isClass(identifier)) {
      progress.ended(typeName(identifier));
    }
  }

  private void judge(TestIdentifier identifier, TestExecutionResult result, long millis) {
    Optional<Throwable> failure = result.getThrowable();
    String detail = failure.map(FailureLine::of).orElse("");
    switch (result.getStatus()) {
      case SUCCESSFUL -> add(identifier, Outcome.PASSED, "", millis);
      case ABORTED -> add(identifier, Outcome.NOT_APPLICABLE, detail, millis);
      case FAILED -> add(identifier, Outcome.FAILED, detail, millis);
    }
    unanswered = failure.filter(SuiteRun::isUnanswered).isPresent() ? unanswered + 1 : 0;
    if (unanswered >= UNANSWERED_MAX) {
      unanswered = 0;
      if (!answers.getAsBoolean()) {
        cancellation.cancel();
      }
    }
  }

  private static boolean isUnanswered(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException
          || cause instanceof UncheckedIOException
          || cause instanceof TimeoutException) {
        return true;
      }
    }
    return false;
  }

  private void add(TestIdentifier identifier, Outcome outcome, String detail, long millis) {
    TestSource source = identifier.getSource().orElse(null);
    if (source instanceof MethodSource method) {
      add(method.getJavaMethod(), invocation(identifier), outcome, detail, millis);
    } else if (source instanceof ClassSource type) {
      CaseMarks marks = CaseMarks.of(type.getJavaClass());
      String said = redaction.apply(detail);
      add(new CaseResult(typeName(identifier), "all", "", marks, outcome, said, millis));
    } else if (outcome == Outcome.FAILED) {
      throw new IllegalStateException("the cases cannot be run: " + detail);
    }
  }

  private void add(Method method, String invocation, Outcome outcome, String detail, long millis) {
    String type = shortName(method.getDeclaringClass().getSimpleName());
    CaseMarks marks = CaseMarks.of(method);
    String said = redaction.apply(detail);
    add(new CaseResult(type, method.getName(), invocation, marks, outcome, said, millis));
  }

  private void add(CaseResult result) {
    results.add(result);
    progress.counted(result);
  }

  /**
   * Returns the display name of one invocation of a parameterised case; an empty string if the
   * method is a single case.
   */
  private String invocation(TestIdentifier identifier) {
    boolean isOneOfSeveral =
        identifier.isTest()
            && plan != null
            && plan.getParent(identifier).flatMap(TestIdentifier::getSource).orElse(null)
                instanceof MethodSource;
    return isOneOfSeveral
        ? redaction.apply(FailureLine.line(identifier.getDisplayName(), INVOCATION_CHARS_MAX))
        : "";
  }

  private static boolean isClass(TestIdentifier identifier) {
    return identifier.getSource().orElse(null) instanceof ClassSource;
  }

  private static String typeName(TestIdentifier identifier) {
    TestSource source = identifier.getSource().orElse(null);
    if (source instanceof MethodSource method) {
      return shortName(method.getJavaClass().getSimpleName());
    }
    return source instanceof ClassSource type
        ? shortName(type.getJavaClass().getSimpleName())
        : identifier.getDisplayName();
  }

  private static String shortName(String type) {
    return type.replaceFirst("ConformanceTest$", "");
  }
}
