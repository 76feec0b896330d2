package io.lazuli.server.requestlog;

import io.lazuli.server.event.OperationKind;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The operations and the time span that lines cover, which become the metadata of a log blob.
 * Mutable; used by one thread at a time.
 */
final class LogCoverage {
  private static final long TICKS_PER_SECOND = 10_000_000;

  private final Set<OperationKind> kinds = EnumSet.noneOf(OperationKind.class);
  private long firstTicks = Long.MAX_VALUE;
  private long lastTicks = Long.MIN_VALUE;

  void add(LoggedRequest request) {
    kinds.add(request.kind());
    firstTicks = Math.min(firstTicks, request.startTicks());
    lastTicks = Math.max(lastTicks, request.startTicks());
  }

  void add(LogCoverage more) {
    kinds.addAll(more.kinds);
    firstTicks = Math.min(firstTicks, more.firstTicks);
    lastTicks = Math.max(lastTicks, more.lastTicks);
  }

  /** Returns the metadata in the form of logs-and-metrics 2.2. */
  Map<String, String> metadata(String version) {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put(
        "LogType", kinds.stream().map(LogCoverage::label).collect(Collectors.joining(",")));
    metadata.put("StartTime", second(firstTicks));
    metadata.put("EndTime", second(lastTicks));
    metadata.put("LogVersion", version);
    return metadata;
  }

  private static String label(OperationKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static String second(long ticks) {
    return DateTimeFormatter.ISO_INSTANT.format(
        Instant.ofEpochSecond(Math.floorDiv(ticks, TICKS_PER_SECOND)));
  }
}
