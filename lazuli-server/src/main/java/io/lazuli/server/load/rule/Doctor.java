package io.lazuli.server.load.rule;

import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Tally;
import io.lazuli.server.load.fact.SpaceLoad;
import io.lazuli.server.load.fact.TableEnds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs all rules on the last minutes and keeps the diagnoses: opened when a rule holds, closed when
 * it has not held for a quarter of an hour with lowered bounds. Its results depend only on the
 * minutes and on what the looks return. Thread-safe.
 */
public final class Doctor {
  /** The number of diagnoses that are kept, open or over. */
  static final int DIAGNOSES_MAX = 64;

  private static final Duration OVER_AFTER = Duration.ofMinutes(15);
  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);
  private static final double EASE = 0.7;

  private record Minute(long start, Map<SpaceName, SpaceLoad> spaces) {}

  /** An open diagnosis. Mutable. */
  private static final class Case {
    private Symptom symptom;
    private final Instant since;
    private Instant lastSeen;
    private Instant levelSince;
    private @Nullable Instant over;

    Case(Symptom symptom, Instant since) {
      this.symptom = symptom;
      this.since = since;
      this.lastSeen = since;
      this.levelSince = since;
    }
  }

  private final Targets targets;
  private final TableEnds tables;
  private final QueueTimes queues;
  private final QueueRules queueRules;
  private final Deque<Minute> minutes = new ArrayDeque<>();
  private final Map<String, Case> cases = new TreeMap<>();
  private final Map<String, Silence> silences = new HashMap<>();

  public Doctor(Targets targets, TableEnds tables, QueueLooks looks, QueueTimes queues) {
    this.targets = targets;
    this.tables = tables;
    this.queues = queues;
    this.queueRules = new QueueRules(queues, looks);
  }

  /**
   * Looks at a minute that is complete.
   *
   * @param start in seconds since 1970
   */
  public synchronized void see(long start, Map<SpaceName, SpaceLoad> spaces) {
    minutes.add(new Minute(start, Map.copyOf(spaces)));
    minutes.removeIf(
        minute -> minute.start <= start - (long) SpaceWindow.MINUTES * SpaceWindow.SECONDS);
    queues.add(start, spaces.values());
    Instant now = Instant.ofEpochSecond(start + SpaceWindow.SECONDS);
    for (Symptom found : symptoms(now, 1)) {
      open(found, now);
    }
    keepOpen(now);
    cases.values().forEach(one -> end(one, now));
    forget(now);
  }

  private void open(Symptom found, Instant now) {
    Case known = cases.get(found.id());
    if (known == null || known.over != null) {
      if (cases.size() < DIAGNOSES_MAX || known != null) {
        cases.put(found.id(), new Case(found, now));
      }
      return;
    }
    refresh(known, found, now);
  }

  /** Takes the new figures. A level rises at once, and falls after a while. */
  private static void refresh(Case known, Symptom found, Instant now) {
    known.lastSeen = now;
    if (found.level().compareTo(known.symptom.level()) >= 0) {
      known.levelSince = now;
      known.symptom = found;
    } else if (Duration.between(known.levelSince, now).compareTo(OVER_AFTER) >= 0) {
      known.levelSince = now;
      known.symptom = found;
    } else {
      known.symptom = found.at(known.symptom.level());
    }
  }

  private void keepOpen(Instant now) {
    boolean quiet =
        cases.values().stream().allMatch(one -> one.over != null || one.lastSeen.equals(now));
    if (quiet) {
      return;
    }
    for (Symptom found : symptoms(now, EASE)) {
      Case known = cases.get(found.id());
      if (known != null && known.over == null && !known.lastSeen.equals(now)) {
        known.lastSeen = now;
      }
    }
  }

  private static void end(Case one, Instant now) {
    if (one.over == null && Duration.between(one.lastSeen, now).compareTo(OVER_AFTER) >= 0) {
      one.over = now;
    }
  }

  private void forget(Instant now) {
    silences.values().removeIf(silence -> silence.until.isBefore(now));
    cases
        .values()
        .removeIf(
            one ->
                one.over != null
                    && !silences.containsKey(one.symptom.id())
                    && Duration.between(one.over, now).compareTo(FORGOTTEN_AFTER) > 0);
  }

  private List<Symptom> symptoms(Instant now, double ease) {
    TreeSet<SpaceName> names = new TreeSet<>();
    TreeSet<String> accounts = new TreeSet<>();
    long micros = 0;
    for (Minute minute : minutes) {
      names.addAll(minute.spaces.keySet());
      for (SpaceLoad space : minute.spaces.values()) {
        accounts.add(space.name().account());
        micros += space.count(Tally.MICROS);
      }
    }
    List<Symptom> found = new ArrayList<>();
    for (SpaceName name : names) {
      SpaceWindow window = window(name, micros, ease, now);
      if (!name.isRest() && !name.account().isEmpty()) {
        found.addAll(ofSpace(window));
      }
    }
    for (String account : accounts) {
      if (!account.isEmpty()) {
        Symptom throttled = ofAccount(account, micros, ease, now);
        if (throttled != null) {
          found.add(throttled);
        }
      }
    }
    return found;
  }

  private SpaceWindow window(SpaceName name, long micros, double ease, Instant now) {
    List<SpaceLoad> loads = new ArrayList<>();
    for (Minute minute : minutes) {
      SpaceLoad load = minute.spaces.get(name);
      if (load != null) {
        loads.add(load);
      }
    }
    return new SpaceWindow(name, loads, micros, ease, now, targets, tables, this::openFor);
  }

  private Duration openFor(Kind kind, SpaceName space) {
    String id = new Symptom(kind, space, "", Level.ADVICE, 0, "", List.of()).id();
    Case known = cases.get(id);
    return known == null || known.over != null
        ? Duration.ZERO
        : Duration.between(known.since, known.lastSeen);
  }

  /** The last minutes of a hot entity, with less load, are not a hot partition. */
  private boolean isEntityOpen(SpaceName space) {
    return cases.values().stream()
        .anyMatch(
            one ->
                one.over == null
                    && one.symptom.space().equals(space)
                    && (one.symptom.kind() == Kind.HOT_ENTITY
                        || one.symptom.kind() == Kind.CONTENDED_ENTITY));
  }

  /** Runs the rules in an order in which one cause has one diagnosis. */
  private List<Symptom> ofSpace(SpaceWindow window) {
    List<Symptom> found = new ArrayList<>();
    Symptom ends = PatternRules.ends(window);
    add(found, ends);
    if (ends == null) {
      Symptom entity = PatternRules.hotEntity(window);
      add(found, entity);
      boolean explained =
          entity == null ? isEntityOpen(window.name()) : PatternRules.isMostOfPartition(window);
      if (!explained) {
        add(found, PatternRules.hotPartition(window));
      }
    }
    Symptom filter = CostRules.filterWithoutKey(window);
    add(found, filter);
    if (filter == null || !CostRules.isMostOfReading(window, filter)) {
      add(found, CostRules.scans(window));
    }
    List<Rule> rules =
        List.of(
            CostRules::fanOut,
            CostRules::large,
            queueRules::unread,
            queueRules::poison,
            PatternRules::batches);
    for (Rule rule : rules) {
      add(found, rule.find(window));
    }
    return found;
  }

  private static void add(List<Symptom> found, @Nullable Symptom symptom) {
    if (symptom != null) {
      found.add(symptom);
    }
  }

  private @Nullable Symptom ofAccount(String account, long micros, double ease, Instant now) {
    List<SpaceLoad> sums = new ArrayList<>();
    for (Minute minute : minutes) {
      SpaceLoad sum = AccountRules.sum(account, minute.spaces);
      if (sum.requests() > 0) {
        sums.add(sum);
      }
    }
    if (sums.isEmpty()) {
      return null;
    }
    SpaceName name = new SpaceName(account, "account", "");
    SpaceWindow window =
        new SpaceWindow(name, sums, micros, ease, now, targets, tables, this::openFor);
    return AccountRules.throttled(window, List.copyOf(minutes.getLast().spaces.values()));
  }

  /** Returns the diagnoses of an account, open ones and the worst first; all if it is empty. */
  public synchronized List<Diagnosis> diagnoses(String account) {
    Comparator<Diagnosis> worst =
        Comparator.comparing(Diagnosis::isOpen)
            .thenComparing(one -> one.symptom().level())
            .reversed()
            .thenComparing(Diagnosis::since);
    return cases.values().stream()
        .filter(one -> account.isEmpty() || one.symptom.space().account().equals(account))
        .map(
            one ->
                new Diagnosis(
                    one.symptom, one.since, one.lastSeen, one.over, silencedUntil(one.symptom)))
        .sorted(worst)
        .toList();
  }

  private @Nullable Instant silencedUntil(Symptom symptom) {
    Silence silence = silences.get(symptom.id());
    return silence == null || symptom.figure() >= 2 * silence.figure ? null : silence.until;
  }

  /**
   * A silence of a diagnosis.
   *
   * @param figure the figure of the diagnosis when it was silenced; the silence ends if it doubles
   */
  public record Silence(Instant until, double figure) {}

  /** Silences a diagnosis until a time; null if there is no such diagnosis. */
  public synchronized @Nullable Silence silence(String id, Instant until) {
    Case known = cases.get(id);
    if (known == null) {
      return null;
    }
    Silence silence = new Silence(until, known.symptom.figure());
    silences.put(id, silence);
    return silence;
  }

  /** Replaces all silences. */
  public synchronized void silences(Map<String, Silence> all) {
    silences.clear();
    silences.putAll(all);
  }

  /** Takes over the diagnoses that {@link #diagnoses} returned, perhaps on another server. */
  public synchronized void restore(List<Diagnosis> stored) {
    cases.clear();
    for (Diagnosis diagnosis : stored) {
      Case known = new Case(diagnosis.symptom(), diagnosis.since());
      known.lastSeen = diagnosis.lastSeen();
      known.levelSince = diagnosis.lastSeen();
      known.over = diagnosis.over();
      cases.put(diagnosis.id(), known);
    }
  }
}
