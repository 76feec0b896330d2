package io.lazuli.cluster.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The processor time of one process. Work is begun in the order in which it came. A quota, if there
 * is one, is that of the kernel's control groups: after its part of a period the process stops
 * until the next one. A pause, such as a collection of garbage, delays exactly the work of this
 * process. Used by one thread.
 */
final class Processor {
  /**
   * A bound of the processor time.
   *
   * @param nanos what the process may use in each period
   */
  record Quota(long nanos, long period) {
    static final Quota NONE = new Quota(0, 0);

    boolean exists() {
      return period > 0;
    }
  }

  private final Events events;
  private final Machine machine;
  private final int cores;
  private final Quota quota;
  private final Usage usage;
  private final Deque<Job> waiting = new ArrayDeque<>();
  private int running;
  private long pausedUntil;

  /** The length of all pauses so far. */
  private long paused;

  private long periodBegin;

  /** The rest of the quota in this period. */
  private long left;

  private boolean stopped;

  private final class Job implements Runnable {
    private final Runnable done;
    private final long came;
    private long rest;
    private long slice;
    private long knownPauses;
    private Machine.@Nullable Core core;

    Job(long work, Runnable done) {
      this.rest = work;
      this.done = done;
      this.came = events.now();
    }

    /** Begins or continues, as far as the quota allows. */
    void proceed() {
      if (stopped) {
        return;
      }
      slice = rest;
      if (quota.exists()) {
        if (events.now() >= periodBegin + quota.period) {
          periodBegin += (events.now() - periodBegin) / quota.period * quota.period;
          left = quota.nanos;
        }
        if (left == 0) {
          events.at(periodBegin + quota.period, this::proceed);
          return;
        }
        slice = Math.min(rest, left);
        left -= slice;
      }
      machine.take(Processor.this, this::begin);
    }

    private void begin(Machine.Core given) {
      core = given;
      knownPauses = paused;
      events.at(Math.max(events.now(), pausedUntil) + slice, this);
    }

    /** Ends the slice, unless pauses that began in between have delayed its end. */
    @Override
    public void run() {
      if (paused > knownPauses && !stopped) {
        long delay = paused - knownPauses;
        knownPauses = paused;
        events.after(delay, this);
        return;
      }
      Machine.Core had = core;
      if (had == null) {
        throw new IllegalStateException("a slice ends without a core");
      }
      machine.giveBack(had);
      usage.busy(slice);
      rest -= slice;
      if (rest > 0) {
        proceed();
      } else if (!stopped) {
        end();
      }
    }

    private void end() {
      running--;
      Job next = waiting.poll();
      if (next != null) {
        usage.waited(events.now() - next.came);
        running++;
        next.proceed();
      }
      done.run();
    }
  }

  /** Creates a processor whose cores nothing else uses. */
  Processor(Events events, int cores) {
    this(events, new Machine(events, cores, 0), cores, Quota.NONE, 0);
  }

  /**
   * Creates the processor of one of the processes of a machine.
   *
   * @param firstPeriod when a period of the quota began; not in the future
   */
  Processor(Events events, Machine machine, int cores, Quota quota, long firstPeriod) {
    this.events = events;
    this.machine = machine;
    this.cores = cores;
    this.quota = quota;
    this.usage = new Usage(events);
    this.periodBegin = firstPeriod;
    this.left = quota.nanos;
  }

  /** Does some work, then something else. */
  void run(long work, Runnable done) {
    if (stopped) {
      return;
    }
    Job job = new Job(work, done);
    if (running < cores) {
      usage.started(Math.max(0, pausedUntil - events.now()));
      running++;
      job.proceed();
    } else {
      usage.waits();
      waiting.add(job);
    }
  }

  /** Stops all work for some time. */
  void pause(long nanos) {
    long until = Math.max(pausedUntil, events.now() + nanos);
    paused += until - Math.max(pausedUntil, events.now());
    pausedUntil = until;
  }

  /** Returns when the pause ends; a time in the past if there is none. */
  long pausedUntil() {
    return pausedUntil;
  }

  /** Ends the process. Its work is never done. */
  void stop() {
    stopped = true;
    waiting.clear();
    usage.forgetWaiting();
  }

  Usage usage() {
    return usage;
  }

  /** Returns the part of what the process may use that it has used. */
  double utilisation() {
    return usage.utilisation(quota.exists() ? (double) quota.nanos / quota.period : cores);
  }
}
