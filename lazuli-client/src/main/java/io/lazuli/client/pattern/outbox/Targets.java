package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * All targets of a primary table. It names the copies of a value as {@code
 * target/partitionKey/rowKey}; the primary lists these names.
 */
record Targets<T>(List<Target<T>> all) {
  Targets {
    all = List.copyOf(all);
  }

  Optional<Target<T>> named(String name) {
    return all.stream().filter(target -> target.name().equals(name)).findFirst();
  }

  /** Returns the names of the targets of copies that are not among these targets. */
  Set<String> undeclared(List<String> copies) {
    return copies.stream()
        .filter(copy -> !copy.equals(Row.DELETION))
        .map(copy -> Parts.split(copy).get(0))
        .filter(name -> named(name).isEmpty())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  Set<String> of(T value) {
    Set<String> names = new LinkedHashSet<>();
    for (Target<T> target : all) {
      for (EntityKey copyKey : target.copyKeys(value)) {
        names.add(Parts.join(target.name(), copyKey.partitionKey(), copyKey.rowKey()));
      }
    }
    return names;
  }

  Mono<Void> update(Primary<T> primary) {
    return Flux.fromIterable(all).concatMap(target -> target.update(primary)).then();
  }

  /** Removes copies of the primary under keys that it no longer uses. */
  Mono<Void> removeCopies(List<String> left, Primary<T> primary) {
    return Flux.fromIterable(left)
        .filter(name -> !name.equals(Row.DELETION))
        .concatMap(name -> removeCopy(Parts.split(name), primary))
        .then();
  }

  private Mono<Void> removeCopy(List<String> copyKey, Primary<T> primary) {
    return named(copyKey.get(0))
        .map(target -> target.removeCopy(new EntityKey(copyKey.get(1), copyKey.get(2)), primary))
        .orElseGet(Mono::empty);
  }
}
