package io.lazuli.server.event;

import java.util.concurrent.atomic.LongAdder;

/** Counts the answered requests by status class, and the throttled requests. */
public final class RequestCounters implements RequestListener {
  private static final int SERVICE_UNAVAILABLE = 503;

  private final LongAdder[] byClass = new LongAdder[6];
  private final LongAdder throttled = new LongAdder();

  public RequestCounters() {
    for (int i = 0; i < byClass.length; i++) {
      byClass[i] = new LongAdder();
    }
  }

  @Override
  public void requestEnded(RequestEvent event, RequestSource source) {
    byClass[Math.min(event.status() / 100, byClass.length - 1)].increment();
    if (event.status() == SERVICE_UNAVAILABLE) {
      throttled.increment();
    }
  }

  /** Returns the number of answers with a status of this class: 2 for 200 to 299. */
  public long answered(int statusClass) {
    return byClass[statusClass].sum();
  }

  /**
   * Returns the number of requests that were answered with 503 because of a rate target or another
   * limit.
   */
  public long throttled() {
    return throttled.sum();
  }
}
