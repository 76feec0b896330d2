package io.lazuli.server.live;

import io.lazuli.server.event.MaskedText;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.RequestSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Keeps recent requests: errors, scans, slow ones, and some of the rest. It runs on event loops. A
 * request that is not kept costs a few comparisons. The lock is held for one entry, at most {@link
 * #PER_SECOND_MAX} times a second. Thread-safe.
 */
public final class Live {
  /** The number of requests that are kept, and their bytes. */
  public static final int REQUESTS_MAX = 2_000;

  public static final int BYTES_MAX = 1 << 20;

  /** The requests that are kept in one second, and those of them that are nothing special. */
  static final int PER_SECOND_MAX = 200;

  static final int ORDINARY_PER_SECOND_MAX = 50;

  private static final long SLOW_NANOS = 100_000_000;
  private static final int FIRST_ERROR = 400;
  private static final int TARGET_MAX = 200;
  private static final int AGENT_MAX = 80;

  private final LongSupplier millis;
  private final ErrorCounts errors;
  private final Refusals refusals;
  private final Shapes shapes = new Shapes();
  private final AtomicLong second = new AtomicLong();
  private final AtomicInteger kept = new AtomicInteger();
  private final AtomicInteger ordinary = new AtomicInteger();
  private volatile int mask;
  private final Deque<LiveRequest> recent = new ArrayDeque<>();
  private int bytes;
  private long number;

  public Live(LongSupplier millis) {
    this.millis = millis;
    this.errors = new ErrorCounts(millis);
    this.refusals = new Refusals();
  }

  /**
   * Takes the requests to a service.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  public RequestListener of(String service) {
    return (event, source) -> take(service, event, source);
  }

  public ErrorCounts errors() {
    return errors;
  }

  /** Returns the shapes of queries. The thread of the load adds to them. */
  public Shapes shapes() {
    return shapes;
  }

  public Refusals refusals() {
    return refusals;
  }

  private void take(String service, RequestEvent event, RequestSource source) {
    int status = event.status();
    if (status >= FIRST_ERROR) {
      errors.add(service, event);
      if (status == 403 || status == 401) {
        refusals.add(service, event, source);
      }
    }
    boolean isSpecial =
        status >= FIRST_ERROR
            || event.planKind().endsWith("scan")
            || event.transfer().nanos() >= SLOW_NANOS;
    int standsFor = 1;
    if (!isSpecial) {
      int all = mask;
      if ((ordinary.getAndIncrement() & all) != 0) {
        return;
      }
      standsFor = all + 1;
    }
    long now = millis.getAsLong();
    beginSecond(now / 1_000);
    if (kept.getAndIncrement() < PER_SECOND_MAX) {
      keep(service, event, source, now, standsFor);
    }
  }

  /** Chooses at the start of a second how many ordinary requests are skipped. */
  private void beginSecond(long now) {
    long last = second.get();
    if (last != now && second.compareAndSet(last, now)) {
      kept.set(0);
      long perSecond = ordinary.getAndSet(0) / Math.max(1, now - last);
      int every = 1;
      while (perSecond / every > ORDINARY_PER_SECOND_MAX) {
        every *= 2;
      }
      mask = every - 1;
    }
  }

  private void keep(
      String service, RequestEvent event, RequestSource source, long now, int standsFor) {
    OperationType known = event.operation();
    OperationType operation = known == null ? source.operationByLine() : known;
    RequestEvent.Transfer transfer = event.transfer();
    String[] agent = {""};
    source.visitHeaders(
        (name, value) -> {
          if ("User-Agent".contentEquals(name) || "user-agent".contentEquals(name)) {
            agent[0] = cut(value.toString(), AGENT_MAX);
          }
        });
    String target = cut(MaskedText.of(cut(source.target(), 4 * TARGET_MAX)), TARGET_MAX);
    synchronized (this) {
      LiveRequest request =
          new LiveRequest(
              ++number,
              now,
              event.requestId(),
              event.account(),
              service,
              operation.documentedName(),
              source.method(),
              target,
              event.status(),
              event.errorCode(),
              event.planKind(),
              event.entitiesRead(),
              event.entitiesReturned(),
              transfer.bytesIn(),
              transfer.bytesOut(),
              transfer.nanos() / 1_000,
              source.peerAddress(),
              agent[0],
              standsFor);
      recent.addLast(request);
      bytes += request.size();
      while (recent.size() > REQUESTS_MAX || bytes > BYTES_MAX) {
        bytes -= recent.removeFirst().size();
      }
    }
  }

  static String cut(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max) + "…";
  }

  /**
   * Returns requests of an account that were kept after another one, the oldest first.
   *
   * @param after the number of the last request that is known; 0 for none
   */
  public synchronized List<LiveRequest> after(String account, long after, int max) {
    List<LiveRequest> found = new ArrayList<>();
    for (LiveRequest request : recent) {
      if (request.number() > after && request.account().equals(account)) {
        found.add(request);
      }
    }
    return found.size() <= max ? found : found.subList(found.size() - max, found.size());
  }

  /** Returns the number of the last request. */
  public synchronized long last() {
    return number;
  }

  /** Returns how many ordinary requests one that is kept stands for. */
  public int share() {
    return mask + 1;
  }
}
