package io.lazuli.server.requestlog;

import io.lazuli.server.event.MaskedText;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.RequestSource;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line for each request in the common log format, as Azurite does, if its logger is at
 * debug level. Signatures are masked.
 */
public final class AccessLines implements RequestListener {
  private static final Logger LOG = LoggerFactory.getLogger(AccessLines.class);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);

  private final Clock clock;

  public AccessLines(Clock clock) {
    this.clock = clock;
  }

  @Override
  public void requestEnded(RequestEvent event, RequestSource source) {
    if (LOG.isDebugEnabled()) {
      LOG.debug(line(event, source));
    }
  }

  private String line(RequestEvent event, RequestSource source) {
    long bytes = event.transfer().bytesOut();
    return source.peerAddress()
        + " - - ["
        + TIME.format(clock.instant().atOffset(ZoneOffset.UTC))
        + "] \""
        + source.method()
        + " "
        + MaskedText.of(source.target())
        + " HTTP/1.1\" "
        + event.status()
        + " "
        + (bytes == 0 ? "-" : bytes);
  }
}
