package io.lazuli.conformance.runner;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.StorageService;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

/**
 * Selects the cases of a run. Mutable in one respect: it remembers the cases that discovery left
 * out because they need a server that they may stop and kill, so that a report can list them.
 */
final class Selection {

  private static final TestTag OWN_SERVER = TestTag.create("own-server");
  private static final TestTag LONG = TestTag.create("long");

  private final List<? extends DiscoverySelector> where;
  private final Set<StorageService> services;
  private final Set<Area> areas;
  private final boolean elsewhere;
  private final boolean withLong;
  private final List<Method> notApplicable = new ArrayList<>();

  /**
   * Creates a selection. An empty set of services or areas means all of them.
   *
   * @param elsewhere true if the cases must not stop or kill the server
   */
  Selection(
      List<? extends DiscoverySelector> where,
      Set<StorageService> services,
      Set<Area> areas,
      boolean elsewhere,
      boolean withLong) {
    this.where = List.copyOf(where);
    this.services = Set.copyOf(services);
    this.areas = Set.copyOf(areas);
    this.elsewhere = elsewhere;
    this.withLong = withLong;
  }

  /** Returns the package that contains all cases. */
  static List<DiscoverySelector> everything() {
    return List.of(DiscoverySelectors.selectPackage("io.lazuli.conformance"));
  }

  /**
   * Returns the request for the JUnit platform. Each case runs on its own thread and is abandoned
   * after the time limit, because a thread that waits for a socket ignores interrupts.
   */
  LauncherDiscoveryRequest request(long caseSecondsMax) {
    String limit = caseSecondsMax + " s";
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(where)
        .filters(ClassNameFilter.includeClassNamePatterns(".*ConformanceTest"))
        .filters((PostDiscoveryFilter) this::judge)
        .configurationParameter("junit.jupiter.execution.timeout.default", limit)
        .configurationParameter(
            "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
        .build();
  }

  /**
   * Returns the cases that cannot run against this endpoint. The list is complete after discovery.
   */
  List<Method> notApplicable() {
    return List.copyOf(notApplicable);
  }

  private FilterResult judge(TestDescriptor descriptor) {
    if (!(descriptor.getSource().orElse(null) instanceof MethodSource source)) {
      return FilterResult.included("not a case");
    }
    Method method = source.getJavaMethod();
    CaseMarks marks = CaseMarks.of(method);
    if (!services.isEmpty() && !services.contains(marks.service())) {
      return FilterResult.excluded("another service");
    }
    if (!areas.isEmpty() && !areas.contains(marks.area())) {
      return FilterResult.excluded("another area");
    }
    if (!withLong && descriptor.getTags().contains(LONG)) {
      return FilterResult.excluded("takes long");
    }
    if (elsewhere && descriptor.getTags().contains(OWN_SERVER)) {
      notApplicable.add(method);
      return FilterResult.excluded("needs a server that it may stop");
    }
    return FilterResult.included("chosen");
  }
}
