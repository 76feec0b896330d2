package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * All targets of a primary table, and the places that its values lead to, named as they are listed
 * in the primary when it has left them.
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
   * Removes the copies from places that the primary has left; of targets that are gone, nothing.
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
