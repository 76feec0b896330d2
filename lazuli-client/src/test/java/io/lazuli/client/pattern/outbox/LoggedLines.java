package io.lazuli.client.pattern.outbox;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A log that keeps its lines. Thread-safe. */
final class LoggedLines extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1;

  private final transient Queue<Line> lines = new ConcurrentLinkedQueue<>();

  record Line(Level level, String text, @Nullable Throwable failure) {}

  List<Line> all() {
    return List.copyOf(lines);
  }

  @Override
  protected String getFullyQualifiedCallerName() {
    return LoggedLines.class.getName();
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    lines.add(new Line(level, MessageFormatter.basicArrayFormat(pattern, arguments), failure));
  }

  @Override
  public boolean isTraceEnabled() {
    return true;
  }

  @Override
  public boolean isDebugEnabled() {
    return true;
  }

  @Override
  public boolean isInfoEnabled() {
    return true;
  }

  @Override
  public boolean isWarnEnabled() {
    return true;
  }

  @Override
  public boolean isErrorEnabled() {
    return true;
  }
}
