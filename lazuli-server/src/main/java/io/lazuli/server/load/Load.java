package io.lazuli.server.load;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.load.count.Generation;
import io.lazuli.server.load.count.Recorder;
import io.lazuli.server.load.count.Sample;
import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Splits;
import io.lazuli.server.load.fact.MinuteFacts;
import io.lazuli.server.load.fact.Slot;
import io.lazuli.server.load.fact.SpaceLoad;
import io.lazuli.server.load.fact.TableEnds;
import io.lazuli.server.load.map.HeatMap;
import io.lazuli.server.load.map.HeatMapQuery;
import io.lazuli.server.load.rule.Diagnosis;
import io.lazuli.server.load.rule.Doctor;
import io.lazuli.server.load.rule.QueueLooks;
import io.lazuli.server.load.rule.QueueTimes;
import io.lazuli.server.load.rule.Targets;
import io.lazuli.server.load.usage.Usage;
import io.lazuli.server.load.usage.UsageQuery;
import io.lazuli.server.load.usage.UsageSum;
import io.lazuli.server.own.OwnTables;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.thread.BackgroundThread;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows where the load of the server is and was. Requests are counted on the way; one thread takes
 * the counts of each minute, stores them, and lets the rules look at them. A crash loses the minute
 * that had not ended. Thread-safe.
 */
public final class Load implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Load.class);

  /** The bytes that the answer to one question reads. */
  public static final long READ_BYTES_MAX = 8 << 20;

  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

  /** The time after a minute at which the minutes of all servers are stored. */
  private static final Duration RULES_AFTER = Duration.ofSeconds(10);

  private static final int ADAPT_MINUTES = 5;
  private static final int SWEEP_MINUTES = 10;
  private static final int QUEUES_STORED_MINUTES = 15;
  private static final int SUM_RANGES_MAX = 256;
  private static final int MINUTE = 60;

  /** The minute that has ended and whose counts are not taken yet. */
  private record Ended(long start, boolean partial, Generation counts, MinuteFacts facts) {}

  private final String server = UUID.randomUUID().toString().substring(0, 8);
  private final Clock clock;
  private final Recorder recorder;
  private final Splits splits;
  private final TableEnds ends;
  private final LoadStore store;
  private final boolean isShared;
  private final BooleanSupplier lead;
  private final QueueTimes queues = new QueueTimes();
  private final Doctor doctor;
  private final Consumer<List<Sample>> samples;
  private final BackgroundThread thread = new BackgroundThread("load", LOG::warn);
  private final Map<Grain, List<SpaceLoad>> sums = new EnumMap<>(Grain.class);
  private final Map<Grain, Long> sumStarts = new EnumMap<>(Grain.class);
  private final Map<Grain, Boolean> sumPartial = new EnumMap<>(Grain.class);
  private final AtomicLong lostMinutes = new AtomicLong();

  /** One sum at a time, because each takes some megabytes. */
  private final Object usageLock = new Object();

  private long start;
  private boolean partial = true;
  private MinuteFacts facts;
  private @Nullable Ended ended;
  private @Nullable Slot unseen;
  private boolean counted;
  private boolean stored;
  private long minutes;
  private volatile boolean leads;
  private volatile boolean restored;

  /**
   * @param targets the rates with which loads are compared
   * @param looks looks into queues
   * @param samples takes the samples of each second, on the thread of the load
   * @param lead returns whether this server does what one server of a cluster does
   */
  public Load(
      StorageEngine engine,
      Catalog catalog,
      Targets targets,
      QueueLooks looks,
      Consumer<List<Sample>> samples,
      BooleanSupplier lead,
      Clock clock) {
    this.clock = clock;
    this.recorder = new Recorder(clock::millis);
    this.splits = new Splits(RandomGenerator.getDefault());
    this.ends = new EngineEnds(engine, catalog);
    this.store = new LoadStore(new OwnTables(engine, catalog, "Load"));
    this.isShared = engine.isShared();
    this.doctor = new Doctor(targets, ends, looks, queues);
    this.samples = samples;
    this.lead = lead;
    this.facts = new MinuteFacts(ends);
    this.start = Grain.MINUTE.slot(clock.instant().getEpochSecond());
  }

  /** Starts the thread. */
  public void start() {
    thread.repeat(
        TICK,
        AFTER_FAILURE,
        () -> {
          tick();
          return TICK;
        });
    thread.start();
  }

  /**
   * Counts the requests to a service.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  public RequestListener of(String service) {
    return recorder.of(service);
  }

  /** Does what is due. Called once a second by one thread. */
  void tick() {
    Instant now = clock.instant();
    List<Sample> taken = recorder.samples();
    facts.add(taken);
    splits.add(taken);
    samples.accept(taken);
    Ended last = ended;
    if (last != null) {
      ended = null;
      take(last);
    }
    long current = Grain.MINUTE.slot(now.getEpochSecond());
    if (current != start) {
      boolean adapt = minutes % ADAPT_MINUTES == 0;
      Generation counts = recorder.replace(new Generation(splits.next(adapt)));
      ended = new Ended(start, partial, counts, facts);
      facts = new MinuteFacts(ends);
      start = current;
      partial = false;
      minutes++;
    }
    Slot due = unseen;
    if (due != null
        && now.getEpochSecond()
            >= due.start() + MINUTE + (isShared ? RULES_AFTER.toSeconds() : 0)) {
      unseen = null;
      see(due, now);
    }
  }

  /** Takes the counts of a minute, stores them, and adds them to longer periods. */
  private void take(Ended minute) {
    List<Generation.Counted> counts = minute.counts.counted();
    splits.count(counts);
    Slot slot = new Slot(server, minute.start, MINUTE, minute.partial, minute.facts.with(counts));
    counted |= !counts.isEmpty();
    unseen = slot;
    if (!counted) {
      return;
    }
    write(Grain.MINUTE, slot);
    for (Grain grain : List.of(Grain.QUARTER, Grain.SIX_HOURS)) {
      add(grain, slot);
    }
  }

  private void add(Grain grain, Slot minute) {
    long slot = grain.slot(minute.start());
    Long current = sumStarts.get(grain);
    if (current != null && current != slot) {
      flush(grain, false);
    }
    if (sumStarts.get(grain) == null) {
      sumStarts.put(grain, slot);
      sumPartial.put(grain, minute.start() != slot || minute.partial());
      sums.put(grain, List.of());
    }
    sums.put(grain, Slot.sum(sums.getOrDefault(grain, List.of()), minute.spaces(), SUM_RANGES_MAX));
    if (minute.start() + MINUTE == slot + grain.seconds()) {
      flush(grain, Boolean.TRUE.equals(sumPartial.get(grain)));
    }
  }

  private void flush(Grain grain, boolean isPartial) {
    Long slot = sumStarts.remove(grain);
    List<SpaceLoad> spaces = sums.remove(grain);
    if (slot != null && spaces != null) {
      write(grain, new Slot(server, slot, grain.seconds(), isPartial, spaces));
      if (grain == Grain.SIX_HOURS) {
        write(
            Grain.TOTALS,
            new Slot(server, slot, grain.seconds(), isPartial, Slot.sum(spaces, List.of(), 1)));
      }
    }
  }

  private void write(Grain grain, Slot slot) {
    try {
      store.write(grain, slot);
      stored = true;
    } catch (RuntimeException e) {
      lose(e);
    }
  }

  /** Does without a minute that cannot be stored: a load must never hinder requests. */
  private void lose(RuntimeException failure) {
    if (!LoadStore.isExpected(failure)) {
      throw failure;
    }
    lostMinutes.incrementAndGet();
    LOG.debug("the load of a minute was not stored", failure);
  }

  /** Lets the rules look at a minute, if this server leads, and does what is due rarely. */
  private void see(Slot minute, Instant now) {
    try {
      leads = !isShared || lead.getAsBoolean();
      if (!leads) {
        restored = false;
        return;
      }
      if (!restored) {
        restore();
      }
      List<Slot> all = isShared ? store.at(Grain.MINUTE, minute.start()) : List.of(minute);
      Map<SpaceName, SpaceLoad> joined = Slot.joined(all.isEmpty() ? List.of(minute) : all);
      List<Diagnosis> before = doctor.diagnoses("");
      if (isShared) {
        doctor.silences(store.silences());
      }
      doctor.see(minute.start(), joined);
      if (!doctor.diagnoses("").equals(before)) {
        store.diagnoses(doctor.diagnoses(""));
      }
      // A store without requests gets no tables. The requests may be those of other servers.
      boolean anyCounted = counted || (isShared && !all.isEmpty());
      if (anyCounted && minutes % QUEUES_STORED_MINUTES == 0) {
        store.queueTimes(queues.encode());
      }
      if (minutes % SWEEP_MINUTES == 0) {
        store.sweep(now);
      }
    } catch (RuntimeException e) {
      lose(e);
    }
  }

  private void restore() {
    doctor.restore(store.diagnoses());
    doctor.silences(store.silences());
    byte[] times = store.queueTimes();
    if (times != null) {
      try {
        queues.restore(times);
      } catch (IOException e) {
        LOG.warn("the times of queues cannot be read", e);
      }
    }
    restored = true;
  }

  /** Returns the load of a window by ranges of keys. Blocks. */
  public HeatMap map(HeatMapQuery query) {
    return maps(query, List.of(query)).get(0);
  }

  /**
   * Returns maps of one window that differ in their quantity and side only. Their rows are the
   * same. The store is read once. Blocks.
   *
   * @param window any of the queries
   */
  public List<HeatMap> maps(HeatMapQuery window, List<HeatMapQuery> queries) {
    List<Grain> grains = new ArrayList<>(List.of(Grain.QUARTER, Grain.SIX_HOURS));
    boolean isRecent =
        window.from() >= clock.instant().minus(Duration.ofHours(24)).getEpochSecond();
    if (isRecent && window.to() - window.from() <= Duration.ofHours(6).toSeconds()) {
      grains.add(0, Grain.MINUTE);
    }
    Grain chosen = Grain.SIX_HOURS;
    List<Slot> slots = null;
    for (int i = 0; i < grains.size() && slots == null; i++) {
      chosen = grains.get(i);
      slots = store.window(chosen, window.from(), window.to(), READ_BYTES_MAX);
    }
    List<HeatMap> maps = new ArrayList<>();
    for (HeatMapQuery query : queries) {
      maps.add(
          HeatMap.of(query, chosen.text(), chosen.seconds(), slots == null ? List.of() : slots));
    }
    return maps;
  }

  /** Returns the operations of an account over time. Answers one caller at a time. Blocks. */
  public Usage usage(UsageQuery query) {
    synchronized (usageLock) {
      UsageSum sum = new UsageSum(query);
      return sum.usage(new UsageReader(store, sum::add).read(query, clock.instant()));
    }
  }

  /** Returns the diagnoses of an account, open ones and the worst first. May block. */
  public List<Diagnosis> diagnoses(String account) {
    boolean isFollower = isShared && !leads;
    if (isFollower || !restored) {
      Doctor copy =
          new Doctor(Targets.of(0, 0), table -> null, (owner, queue) -> null, new QueueTimes());
      copy.restore(store.diagnoses());
      copy.silences(store.silences());
      return copy.diagnoses(account);
    }
    return doctor.diagnoses(account);
  }

  /**
   * Silences a diagnosis for some days, or until its figure doubles. Blocks.
   *
   * @return false if there is no such diagnosis
   */
  public boolean silence(String id, int days) {
    Instant until = clock.instant().plus(Duration.ofDays(days));
    if (!restored || (isShared && !leads)) {
      doctor.restore(store.diagnoses());
    }
    Doctor.Silence silence = doctor.silence(id, until);
    if (silence == null) {
      return false;
    }
    store.silence(id, silence);
    return true;
  }

  /** Returns the number of minutes that could not be stored. */
  public long lostMinutes() {
    return lostMinutes.get();
  }

  /** Shows the load's own state. */
  public void metrics(MetricVisitor visitor) {
    visitor.counter(
        "lazuli_load_minutes_lost", "Minutes whose load could not be stored.", lostMinutes.get());
  }

  /** Returns one line about a collector that does not run; empty if there is no trouble. */
  public String trouble() {
    return thread.trouble();
  }

  /** Stores the minute that has begun, if there are stored ones, and stops. */
  @Override
  public void close() {
    if (!thread.close(BackgroundThread.CLOSE_TIME_MAX)) {
      return;
    }
    Ended last = ended;
    if (last != null) {
      take(last);
    }
    if (stored) {
      Generation counts = recorder.replace(new Generation(List.of()));
      facts.add(recorder.samples());
      take(new Ended(start, true, counts, facts));
      flush(Grain.QUARTER, true);
      flush(Grain.SIX_HOURS, true);
    }
  }
}
