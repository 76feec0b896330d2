package io.lazuli.server.load.fact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/** Adds lists of several servers. */
final class Merged {
  private static final int MAX = 8;

  private Merged() {}

  static List<HotPartition> partitions(List<HotPartition> one, List<HotPartition> other) {
    return merged(
        one,
        other,
        HotPartition::key,
        (a, b) ->
            new HotPartition(
                a.key(), a.requests() + b.requests(), a.error() + b.error(), a.busy() + b.busy()),
        Comparator.comparingLong(HotPartition::requests).reversed());
  }

  static List<HotEntity> entities(List<HotEntity> one, List<HotEntity> other) {
    return merged(
        one,
        other,
        entity -> List.of(entity.partition(), entity.row()),
        (a, b) ->
            new HotEntity(
                a.partition(),
                a.row(),
                a.requests() + b.requests(),
                a.error() + b.error(),
                a.writes() + b.writes(),
                a.conflicts() + b.conflicts(),
                Math.max(a.bytes(), b.bytes())),
        Comparator.comparingLong(HotEntity::requests).reversed());
  }

  static List<ShapeLoad> shapes(List<ShapeLoad> one, List<ShapeLoad> other) {
    return merged(
        one,
        other,
        shape -> List.of(shape.kind(), shape.shape()),
        (a, b) ->
            new ShapeLoad(
                a.kind(),
                a.shape(),
                a.runs() + b.runs(),
                a.read() + b.read(),
                a.returned() + b.returned(),
                a.micros() + b.micros(),
                Math.max(a.most(), b.most()),
                Math.max(a.partitions(), b.partitions()),
                a.caller()),
        Comparator.comparingLong(ShapeLoad::micros).reversed());
  }

  static List<FanOut> fanOuts(List<FanOut> one, List<FanOut> other) {
    return merged(
        one,
        other,
        fanOut -> List.of(fanOut.caller(), fanOut.what()),
        (a, b) ->
            new FanOut(
                a.caller(),
                a.what(),
                a.bursts() + b.bursts(),
                Math.max(a.partitions(), b.partitions())),
        Comparator.comparingInt(FanOut::bursts).reversed());
  }

  private static <T> List<T> merged(
      List<T> one,
      List<T> other,
      Function<T, Object> key,
      BinaryOperator<T> plus,
      Comparator<T> first) {
    Map<Object, T> all = new LinkedHashMap<>();
    one.forEach(item -> all.merge(key.apply(item), item, plus));
    other.forEach(item -> all.merge(key.apply(item), item, plus));
    List<T> sorted = new ArrayList<>(all.values());
    sorted.sort(first);
    return sorted.subList(0, Math.min(MAX, sorted.size()));
  }
}
