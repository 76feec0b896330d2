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
 * Which cases a run consists of. Mutable in one respect: what discovery leaves out because it needs
 * a server of our own is remembered, so that a report can say so.
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
   * An empty set of services or areas means all of them.
   *
   * @param elsewhere true if the server is not ours to stop and to kill
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

  /** Where all cases are. */
  static List<DiscoverySelector> everything() {
    return List.of(DiscoverySelectors.selectPackage("io.lazuli.conformance"));
  }

  /**
   * The request for the JUnit platform. A stuck case is given up after the limit, on a thread of
   * its own: one that waits for a socket does not notice an interrupt.
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

  /** The cases that this endpoint cannot be asked; known after discovery. */
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
      return FilterResult.excluded("needs a server of our own");
    }
    return FilterResult.included("chosen");
  }
}
