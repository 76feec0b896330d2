package io.lazuli.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Records everything that is logged until it is closed. */
public final class WatchedLog implements AutoCloseable {
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

  public WatchedLog() {
    // Tests read the list while other threads log.
    appender.list = new CopyOnWriteArrayList<>();
    appender.start();
    root.addAppender(appender);
  }

  /** Returns the log lines at level WARN and above. */
  public List<String> faults() {
    return appender.list.stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  /** Returns all lines that the level of the loggers lets pass. */
  public List<String> all() {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    root.detachAppender(appender);
  }
}
