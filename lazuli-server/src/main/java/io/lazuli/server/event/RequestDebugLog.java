package io.lazuli.server.event;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one line per request when the logger is at debug level. */
public final class RequestDebugLog implements RequestListener {
  private static final Logger LOG = LoggerFactory.getLogger(RequestDebugLog.class);

  public RequestDebugLog() {}

  @Override
  public void requestEnded(RequestEvent event, RequestSource source) {
    LOG.debug("{}", event);
  }
}
