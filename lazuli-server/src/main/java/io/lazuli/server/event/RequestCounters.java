package io.lazuli.server.event;

import java.util.concurrent.atomic.LongAdder;

/** Counts answered requests: by the class of their status, and those that were held back. */
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

  /** How many answers had a status of this class: 2 for 200 to 299. */
  public long answered(int statusClass) {
    return byClass[statusClass].sum();
  }

  /** How many requests were told to come back later: past a target, or past a bound. */
  public long throttled() {
    return throttled.sum();
  }
}
