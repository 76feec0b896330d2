package io.lazuli.cluster.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A region server: a bounded number of handlers, a bounded queue of calls in front of them, its
 * processor and its log. A handler keeps its call until the log is synced. Used by one thread.
 */
final class RegionServer {
  private final Events events;
  private final long network;
  private final int handlerCount;
  private final Processor processor;
  private final Log log;
  private final Usage handlers;
  private final Deque<Call> queue = new ArrayDeque<>();

  /** The calls that were received and not answered, and when each got its handler. */
  private final Map<Call, Long> inside = new LinkedHashMap<>();

  private int handling;
  private boolean dead;
  private long calls;
  private long refused;
  private double hot;
  private double own;
  private double all;

  RegionServer(Events events, long network, int handlerCount, Processor processor, Log log) {
    this.events = events;
    this.network = network;
    this.handlerCount = handlerCount;
    this.processor = processor;
    this.log = log;
    this.handlers = new Usage(events);
  }

  /** Receives a call. While the process is paused, the call waits in its socket. */
  void receive(Call call) {
    if (!dead && processor.pausedUntil() > events.now()) {
      events.at(processor.pausedUntil(), () -> receive(call));
      return;
    }
    if (dead
        || (handling == handlerCount && queue.size() == Bounds.CALLS_OF_A_HANDLER * handlerCount)) {
      refused++;
      events.after(network, call.failed());
      return;
    }
    inside.put(call, events.now());
    if (handling < handlerCount) {
      handlers.started(0);
      handle(call);
    } else {
      handlers.waits();
      queue.add(call);
    }
  }

  private void handle(Call call) {
    handling++;
    calls++;
    hot += call.hot();
    own += call.own();
    all += call.work();
    long begin = events.now();
    processor.run(
        call.work(),
        () -> {
          if (call.isWrite()) {
            log.sync(() -> end(call, begin));
          } else {
            end(call, begin);
          }
        });
  }

  private void end(Call call, long begin) {
    handlers.busy(events.now() - begin);
    handling--;
    inside.remove(call);
    events.after(network, call.answered());
    Call next = queue.poll();
    if (next != null) {
      handlers.waited(events.now() - inside.getOrDefault(next, events.now()));
      handle(next);
    }
  }

  /** Kills the process: its connections break, and it answers nothing any more. */
  void kill() {
    dead = true;
    processor.stop();
    log.stop();
    handlers.forgetWaiting();
    queue.clear();
    List<Call> lost = List.copyOf(inside.keySet());
    inside.clear();
    lost.forEach(call -> events.after(network, call.failed()));
  }

  boolean isDead() {
    return dead;
  }

  Processor processor() {
    return processor;
  }

  Log log() {
    return log;
  }

  double handlerUtilisation() {
    return handlers.utilisation(handlerCount);
  }

  double handlerWaiting() {
    return handlers.meanWaiting();
  }

  long calls() {
    return calls;
  }

  long refused() {
    return refused;
  }

  /** Returns the part of the work that was for the most used partition. */
  double hotPart() {
    return hot / Math.max(1, all);
  }

  /** Returns the part of the work that was for homes and look-ups. */
  double ownPart() {
    return own / Math.max(1, all);
  }

  void reset() {
    processor.usage().reset();
    log.reset();
    handlers.reset();
    calls = 0;
    refused = 0;
    hot = 0;
    own = 0;
    all = 0;
  }
}
