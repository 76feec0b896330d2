package io.lazuli.server.load.fact;

import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.QueryShape;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.load.count.OperationClass;
import io.lazuli.server.load.count.Sample;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects what the samples of one minute say about one space. Belongs to one thread. */
final class SpaceFacts {
  private static final int PARTITIONS_MAX = 24;
  private static final int ENTITIES_MAX = 16;
  private static final int SHAPES_MAX = 16;
  private static final int CALLERS_MAX = 16;
  private static final int SHOWN_MAX = 4;

  private static final int WRITES = 0;
  private static final int CONFLICTS = 1;
  private static final int BYTES = 2;
  private static final int CONFLICT = 412;
  private static final int BUSY = 503;
  private static final int FIRST_ERROR = 400;

  private record EntityId(String partition, String row) {}

  private record ShapeId(String kind, String shape) {}

  /** Mutable. */
  private static final class ShapeSum {
    private long runs;
    private long read;
    private long returned;
    private long micros;
    private long most;
    private int partitions;
    private String caller = "";
  }

  private final SpaceSaving<String> partitions = new SpaceSaving<>(PARTITIONS_MAX, 1);
  private final SpaceSaving<EntityId> entities = new SpaceSaving<>(ENTITIES_MAX, 3);
  private final Map<ShapeId, ShapeSum> shapes = new HashMap<>();
  private final Map<String, FanOut> fanOuts = new LinkedHashMap<>();
  private final Map<String, String> lastBatches = new HashMap<>();
  private WrittenSizes sizes = WrittenSizes.NONE;
  private long batchesJudged;
  private long batchesChanged;
  private long insertsThisSecond;
  private TableEnds.@Nullable Ends ends;
  private long judged;
  private long atLast;
  private long atFirst;
  private int lastMoved;
  private int firstMoved;
  private String last = "";
  private String first = "";

  void add(Sample sample) {
    RequestEvent event = sample.event();
    KeyUse keys = sample.keys();
    int status = event.status();
    boolean isDone = status < FIRST_ERROR;
    if (isDone || status == CONFLICT || status == BUSY) {
      addKeys(sample);
    }
    if (keys.query() != null && isDone) {
      addShape(sample);
    }
    if (isDone && keys.writes() > 0) {
      long size = event.transfer().bytesIn() / keys.writes();
      sizes = sizes.plus((long) sample.weight() * keys.writes(), size);
      if (sample.operations() == OperationClass.BATCH) {
        addBatch(sample);
      }
      if (keys.inserts() > 0) {
        addInsert(keys.partition(), (long) sample.weight() * keys.inserts());
      }
    }
  }

  private void addKeys(Sample sample) {
    KeyUse keys = sample.keys();
    if (keys.query() != null && keys.partition().isEmpty()) {
      return;
    }
    String partition = KeyText.of(keys.partition());
    SpaceSaving.Counter<String> counter = partitions.add(partition, sample.weight());
    counter.extra()[0] += sample.event().status() == BUSY ? sample.weight() : 0;
    String row = keys.row();
    if (row != null) {
      long[] extra =
          entities.add(new EntityId(partition, KeyText.of(row)), sample.weight()).extra();
      extra[WRITES] += sample.operations().isRead() ? 0 : sample.weight();
      extra[CONFLICTS] += sample.event().status() == CONFLICT ? sample.weight() : 0;
      extra[BYTES] =
          Math.max(
              extra[BYTES],
              Math.max(sample.event().transfer().bytesIn(), sample.event().transfer().bytesOut()));
    }
  }

  private void addShape(Sample sample) {
    RequestEvent event = sample.event();
    QueryShape query = Objects.requireNonNull(sample.keys().query());
    String kind = event.planKind();
    int seeks = kind.indexOf('(');
    ShapeId id = new ShapeId(seeks < 0 ? kind : kind.substring(0, seeks), query.text());
    ShapeSum sum = shapes.get(id);
    if (sum == null) {
      if (shapes.size() >= SHAPES_MAX) {
        shapes.remove(cheapest());
      }
      sum = new ShapeSum();
      shapes.put(id, sum);
    }
    int weight = sample.weight();
    sum.runs += weight;
    sum.read += weight * event.entitiesRead();
    sum.returned += weight * event.entitiesReturned();
    sum.micros += weight * (event.transfer().serverNanos() / 1_000);
    sum.most = Math.max(sum.most, event.entitiesRead());
    sum.caller = sample.peer();
    if (seeks >= 0 || kind.equals("range") || kind.equals("partition scan")) {
      sum.partitions = Math.max(sum.partitions, query.partitions());
    }
  }

  private ShapeId cheapest() {
    return shapes.entrySet().stream()
        .min(Comparator.comparingLong(entry -> entry.getValue().micros))
        .orElseThrow()
        .getKey();
  }

  private void addBatch(Sample sample) {
    String partition = KeyText.of(sample.keys().partition());
    if (lastBatches.size() >= CALLERS_MAX && !lastBatches.containsKey(sample.peer())) {
      lastBatches.clear();
    }
    String before = lastBatches.put(sample.peer(), partition);
    if (before != null) {
      batchesJudged += sample.weight();
      batchesChanged += before.equals(partition) ? 0 : sample.weight();
    }
  }

  private void addInsert(String partition, long weight) {
    insertsThisSecond += weight;
    TableEnds.Ends known = ends;
    if (known == null) {
      return;
    }
    judged += weight;
    if (partition.compareTo(known.last()) >= 0) {
      atLast += weight;
      if (partition.compareTo(last) > 0) {
        last = partition;
        lastMoved++;
      }
    }
    if (partition.compareTo(known.first()) <= 0) {
      atFirst += weight;
      if (partition.compareTo(first) < 0) {
        first = partition;
        firstMoved++;
      }
    }
  }

  /** Returns the inserts since the last call. */
  long takeInserts() {
    long inserts = insertsThisSecond;
    insertsThisSecond = 0;
    return inserts;
  }

  boolean needsEnds() {
    return ends == null;
  }

  void ends(TableEnds.Ends found) {
    ends = found;
    first = found.first();
    last = found.last();
  }

  void addBurst(String caller, String what, int distinct) {
    FanOut before = fanOuts.get(caller + "\n" + what);
    if (before != null || fanOuts.size() < SHOWN_MAX) {
      fanOuts.put(
          caller + "\n" + what,
          new FanOut(
              caller,
              what,
              before == null ? 1 : before.bursts() + 1,
              before == null ? distinct : Math.max(before.partitions(), distinct)));
    }
  }

  /** Returns what was found, in a form that is stored. */
  Facts found() {
    return new Facts(
        partitions.total(),
        partitions.size(),
        partitions.top(SHOWN_MAX).stream()
            .map(one -> new HotPartition(one.key(), one.count(), one.error(), one.extra()[0]))
            .toList(),
        entities.top(SHOWN_MAX).stream()
            .map(
                one ->
                    new HotEntity(
                        one.key().partition(),
                        one.key().row(),
                        one.count(),
                        one.error(),
                        one.extra()[WRITES],
                        one.extra()[CONFLICTS],
                        one.extra()[BYTES]))
            .toList(),
        insertEnds(),
        sizes,
        new BatchTargets(batchesJudged, batchesChanged),
        shapes(),
        List.copyOf(fanOuts.values()));
  }

  private InsertEnds insertEnds() {
    TableEnds.Ends known = ends;
    if (known == null) {
      return InsertEnds.NONE;
    }
    return new InsertEnds(
        judged,
        atLast,
        atFirst,
        atLast >= atFirst ? lastMoved : firstMoved,
        known.hasMany(),
        KeyText.of(first),
        KeyText.of(last));
  }

  private List<ShapeLoad> shapes() {
    return shapes.entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<ShapeId, ShapeSum> entry) -> entry.getValue().micros)
                .reversed())
        .limit(2 * SHOWN_MAX)
        .map(
            entry -> {
              ShapeSum sum = entry.getValue();
              return new ShapeLoad(
                  entry.getKey().kind(),
                  entry.getKey().shape(),
                  sum.runs,
                  sum.read,
                  sum.returned,
                  sum.micros,
                  sum.most,
                  sum.partitions,
                  sum.caller);
            })
        .toList();
  }
}
