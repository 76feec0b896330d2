package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * All targets of a primary table. It names the copies of a value as {@code
 * target/partitionKey/rowKey}; the primary lists these names when its copies must be removed.
 */
record Places<T>(List<Target<T>> targets) {
  Places {
    targets = List.copyOf(targets);
  }

  Places<T> and(Target<T> another) {
    return new Places<>(Stream.concat(targets.stream(), Stream.of(another)).toList());
  }

  Set<String> of(T value) {
    Set<String> names = new LinkedHashSet<>();
    for (Target<T> target : targets) {
      for (EntityKey place : target.places(value)) {
        names.add(Parts.join(target.name(), place.partitionKey(), place.rowKey()));
      }
    }
    return names;
  }

  Mono<Void> bring(Primary<T> primary) {
    return Flux.fromIterable(targets).concatMap(target -> target.bring(primary)).then();
  }

  /**
   * Removes copies of the primary under keys that it no longer uses. Targets that no longer exist
   * are ignored.
   */
  Mono<Void> vacate(List<String> left, Primary<T> primary) {
    return Flux.fromIterable(left)
        .filter(name -> !name.equals(Row.DELETION))
        .concatMap(name -> vacateOne(Parts.split(name), primary))
        .then();
  }

  private Mono<Void> vacateOne(List<String> place, Primary<T> primary) {
    return Flux.fromIterable(targets)
        .filter(target -> target.name().equals(place.get(0)))
        .concatMap(target -> target.vacate(new EntityKey(place.get(1), place.get(2)), primary))
        .then();
  }
}
